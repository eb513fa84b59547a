import { drawnWindow, type webchatSession, type webchatSessionBody } from '@balcao/contract/intake/webchat.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { webchatSessions } from '../../../db/schema/intake/webchat.ts'
import { hashToken, randomToken } from '../../../kit/crypto.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { cleanText } from '../../../kit/text.ts'
import { findConversation } from './conversation.ts'
import { deviceOf } from './device.ts'
import { withDraft } from './look-draft.ts'
import { findWebchat, isAllowedSite, isOnline, readLook, type Webchat } from './site.ts'
import { identityOf, saveContact } from './visitor-contact.ts'
import { readIdentity } from './visitor-identity.ts'
import { issueVisitorToken, knownVisitorId, type Visitor, visitorTokenS } from './visitor-token.ts'
import { closeWindows, familyRoom } from './windows.ts'

type Body = z.output<typeof webchatSessionBody>

const resumeDays = 180
/** Two tabs that open together both stay in. */
const graceMs = 10_000

/** Begins or resumes a visitor's session; the resume token rotates, and the reuse of an old one ends its family. */
export const openSession = async (body: Body, userAgent?: string): Promise<z.output<typeof webchatSession>> => {
  const webchat = await findWebchat({ channelKey: body.channelKey })
  if (!webchat) throw new AppError('ERR_NOT_FOUND')
  if (!isAllowedSite(body.origin, webchat.config)) throw new AppError('ERR_WEBCHAT_DOMAIN')
  const told = await readIdentity(body.identity, webchat)

  const opened = await withTenant(webchat.tenantId, async (tx) => {
    const former = body.resumeToken ? await resume(tx, webchat, body.resumeToken, told.id) : undefined
    if (former === 'refused') return undefined
    const verifiedAs = told.isExpired && !former ? null : told.id
    return addSession(tx, webchat, {
      former,
      verifiedAs,
      verifiedEmail: verifiedAs && told.email,
      profile: told.profile,
      body,
      userAgent,
    })
  })
  // The window starts over as a new visitor; refused after the commit, so that a revoked family stays revoked.
  if (!opened) throw new AppError('ERR_SESSION_EXPIRED')
  const { visitor, resumeToken } = opened

  const { contactId } = await requireSession(visitor)
  if (visitor.verifiedAs && contactId) await saveContact(visitor, visitor.profile)
  return {
    visitorId: visitor.visitorId,
    accessToken: await issueVisitorToken(visitor),
    resumeToken,
    expiresInS: visitorTokenS,
    ticketId: (await findConversation({ ...visitor, contactId }))?.id ?? null,
    config: drawnWindow(await readLook(withDraft(webchat, body.draft), body.locale), {
      isOnline: await isOnline(webchat.tenantId),
      visitor: { isVerified: visitor.verifiedAs !== null, profile: visitor.profile },
    }),
  }
}

type Session = typeof webchatSessions.$inferSelect

const resume = async (
  tx: Tx,
  webchat: Webchat,
  token: string,
  verifiedAs: string | null,
): Promise<Session | 'refused' | undefined> => {
  const mine = and(eq(webchatSessions.tenantId, tx.tenantId), eq(webchatSessions.connectionId, webchat.id))
  const [session] = await tx.db
    .select()
    .from(webchatSessions)
    .where(and(mine, eq(webchatSessions.hash, hashToken(token))))
    .for('update')
  if (!session || session.revokedAt || session.expiresAt < new Date()) return 'refused'
  const { familyId, rotatedAt } = session
  if (rotatedAt && Date.now() - rotatedAt.getTime() > graceMs) {
    await tx.db
      .update(webchatSessions)
      .set({ revokedAt: new Date() })
      .where(and(mine, eq(webchatSessions.familyId, familyId)))
    tx.afterCommit(() => closeWindows(familyRoom(tx.tenantId, familyId)))
    log.warn({ tenantId: tx.tenantId, connectionId: webchat.id, familyId }, 'web chat resume token used twice')
    return 'refused'
  }
  if (session.verifiedAs !== verifiedAs) return undefined // somebody else sits at this browser now
  if (!rotatedAt) {
    await tx.db
      .update(webchatSessions)
      .set({ rotatedAt: new Date() })
      .where(and(mine, eq(webchatSessions.id, session.id)))
  }
  return session
}

type Opening = Pick<Visitor, 'verifiedAs' | 'verifiedEmail' | 'profile'> & {
  former: Session | undefined
  body: Body
  userAgent: string | undefined
}

const addSession = async (tx: Tx, webchat: Webchat, opening: Opening) => {
  const { former, verifiedAs, verifiedEmail, profile, body, userAgent } = opening
  const resumeToken = randomToken()
  const id = v7()
  const visitor: Visitor = {
    tenantId: tx.tenantId,
    connectionId: webchat.id,
    visitorId: former?.visitorId ?? visitorIdFor(webchat, verifiedAs),
    verifiedAs,
    verifiedEmail,
    sessionId: id,
    familyId: former?.familyId ?? id,
    profile,
  }
  await tx.db.insert(webchatSessions).values({
    tenantId: tx.tenantId,
    id,
    connectionId: webchat.id,
    visitorId: visitor.visitorId,
    verifiedAs,
    familyId: visitor.familyId,
    hash: hashToken(resumeToken),
    page: body.page && { ...cleanPage(body.page), device: userAgent && deviceOf(userAgent) },
    expiresAt: new Date(Date.now() + resumeDays * 86_400_000),
  })
  return { visitor, resumeToken }
}

/** Everybody but a signed person is nobody we know. */
const visitorIdFor = (webchat: Webchat, verifiedAs: string | null) =>
  verifiedAs ? knownVisitorId(`${webchat.id}:${verifiedAs}`) : `v_${randomToken(18)}`

/** A visitor whose session holds now, and who they are here. */
export type Caller = Visitor & { webchat: Webchat; contactId: string | null }

/** A token outlives nothing: the connection must still exist and the session not be revoked. */
export const requireSession = async (visitor: Visitor): Promise<Caller> => {
  const webchat = await findWebchat({ id: visitor.connectionId })
  if (webchat?.tenantId !== visitor.tenantId) throw new AppError('ERR_SESSION_EXPIRED')
  const { kind, value } = identityOf(visitor)
  const [session] = await withTenant(visitor.tenantId, (tx) =>
    tx.rows<{ isRevoked: boolean; contactId: string | null }>(sessionNow, [
      tx.tenantId,
      visitor.sessionId,
      kind,
      value,
    ]),
  )
  if (!session || session.isRevoked) throw new AppError('ERR_SESSION_EXPIRED')
  return { ...visitor, webchat, contactId: session.contactId }
}
const sessionNow: Prepared = {
  name: 'webchat_session',
  text: `select s.revoked_at is not null as "isRevoked", (select i.contact_id from contact_identities i
      where i.tenant_id = $1 and i.kind = $3 and i.value = $4) as "contactId"
    from webchat_sessions s where s.tenant_id = $1 and s.id = $2`,
}

/** Where the visitor is on the site now. */
export const notePage = async ({ tenantId, sessionId }: Visitor, page: NonNullable<Body['page']>) => {
  await withTenant(tenantId, (tx) =>
    tx.db
      .update(webchatSessions)
      .set({ page: sql`coalesce(${webchatSessions.page}, '{}') || ${JSON.stringify(cleanPage(page))}::jsonb` }) // whence and on what stays
      .where(and(eq(webchatSessions.tenantId, tenantId), eq(webchatSessions.id, sessionId))),
  )
}

const cleanPage = ({ url, title, referrer }: NonNullable<Body['page']>) => ({
  url: cleanText(url).replace(/#balcao-previa=.*$/, ''),
  title: cleanText(title),
  ...(referrer && { referrer: cleanText(referrer) }),
})

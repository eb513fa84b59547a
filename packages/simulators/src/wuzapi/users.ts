import { randomBytes } from 'node:crypto'
import { type State, type User, WuzapiError } from './state.ts'
import type { Webhooks } from './webhooks.ts'

export type Users = ReturnType<typeof createUsers>

/** Their life: made, shown a code, linked, dropped, gone. */
export const createUsers = (state: State, webhooks: Webhooks) => {
  const { core } = state
  const find = (name: string): User => {
    const found = state.users.find((one) => one.name === name)
    if (!found) throw new WuzapiError(404, 'user not found')
    return found
  }
  const draw = async (user: User) => {
    user.qrcode = `data:image/png;base64,${randomBytes(60).toString('base64')}`
    core.changed()
    await webhooks.emit(user, 'QR', { event: 'code', qrCodeBase64: user.qrcode })
  }
  const close = (user: User, more: Partial<User> = {}) => {
    Object.assign(user, { session: 'none', qrcode: '', linkingCode: undefined, ...more })
    core.changed()
  }

  return {
    find,
    close,
    by: (token: string): User => {
      const found = state.users.find((one) => one.token === token)
      if (!found || !token) throw new WuzapiError(401, 'unauthorized')
      return found
    },
    make: (name: string, token: string, more: Partial<User> = {}): User => {
      if (state.users.some((one) => one.token === token))
        throw new WuzapiError(409, 'user with this token already exists')
      const made: User = {
        id: randomBytes(16).toString('hex'),
        name,
        token,
        webhook: '',
        events: [],
        jid: '',
        lid: '',
        session: 'none',
        qrcode: '',
        proxyUrl: '',
        files: { enabled: false, media_delivery: 'base64' },
        ...more,
      }
      state.users.push(made)
      return made
    },
    /** A login that is kept goes on; else a code is drawn a moment later. */
    connect: async (user: User, keepsLogin: boolean) => {
      if (user.session === 'waiting' || user.session === 'open') throw new WuzapiError(500, 'already connected')
      user.session = keepsLogin ? 'open' : 'waiting'
      if (keepsLogin) await webhooks.emit(user, 'Connected', { event: {} })
      else await draw(user)
    },
    rotate: async (name: string) => {
      const user = find(name)
      if (user.session === 'waiting') await draw(user)
    },
    /** Nobody read one of the codes. */
    expire: async (name: string) => {
      const user = find(name)
      close(user)
      await webhooks.emit(user, 'QRTimeout', { event: 'timeout' })
    },
    scan: async (name: string, code?: string) => {
      const user = find(name)
      if (user.session !== 'waiting') throw new Error('there is no code to scan')
      if (code !== undefined && code !== user.qrcode) throw new Error('this code is over')
      Object.assign(user, {
        session: 'open',
        qrcode: '',
        linkingCode: undefined,
        jid: `${state.phone}:12@s.whatsapp.net`,
        lid: '66612345678901@lid',
      })
      core.changed()
      await webhooks.emit(user, 'PairSuccess', {
        event: { ID: user.jid, LID: user.lid, BusinessName: '', Platform: 'android' },
      })
      await webhooks.emit(user, 'Connected', { event: {} })
    },
    /** The link ends, for one of WhatsApp's reasons. */
    drop: async (name: string, reason: number) => {
      const user = find(name)
      close(user)
      await webhooks.emit(user, 'LoggedOut', { event: { OnConnect: false, Reason: reason } })
    },
    /** The connection falls and comes back by itself. */
    fall: async (name: string) => {
      const user = find(name)
      user.session = 'away'
      await webhooks.emit(user, 'Disconnected', { event: {} })
    },
    rise: async (name: string) => {
      const user = find(name)
      user.session = 'open'
      await webhooks.emit(user, 'Connected', { event: {} })
    },
    remove: (user: User) => {
      state.users.splice(state.users.indexOf(user), 1)
    },
  }
}

export const isConnected = ({ session }: User) => session === 'open' || session === 'waiting'

import type { MemberAct } from '@balcao/contract/channels/group-acts.ts'
import type {
  AnyMessageContent,
  AuthenticationState,
  BaileysEventMap,
  GroupMetadata,
  proto,
  WAMessage,
  WAMessageKey,
} from '@whiskeysockets/baileys'
import type { Opened } from './opened.ts'

/** What the library tells, many things at once and in order. */
export type BaileysEvents = Partial<BaileysEventMap>

/** What we ask of the library's socket, so that a stand-in can answer it as well. */
export type BaileysPort = {
  /** Calls back with everything that happens, until the port is closed. */
  listen: (heard: (events: BaileysEvents) => void) => void
  close: () => Promise<void>
  calls: BaileysCalls
}

/** As the library has them; arguments and answers pass through its own JSON. */
export type BaileysCalls = {
  requestPairingCode: (phone: string) => Promise<string>
  logout: () => Promise<void>
  sendMessage: (
    jid: string,
    content: AnyMessageContent,
    options: { messageId?: string; quoted?: WAMessage },
  ) => Promise<WAMessage | undefined>
  readMessages: (keys: WAMessageKey[]) => Promise<void>
  sendPresenceUpdate: (type: 'composing' | 'paused', jid: string) => Promise<void>
  presenceSubscribe: (jid: string) => Promise<void>
  rejectCall: (id: string, from: string) => Promise<void>
  onWhatsApp: (...phones: string[]) => Promise<{ jid: string; exists: boolean }[] | undefined>
  profilePictureUrl: (jid: string, type: 'image' | 'preview') => Promise<string | undefined>
  groupMetadata: (jid: string) => Promise<GroupMetadata>
  groupFetchAllParticipating: () => Promise<Record<string, GroupMetadata>>
  groupCreate: (subject: string, participants: string[]) => Promise<GroupMetadata>
  groupUpdateSubject: (jid: string, subject: string) => Promise<void>
  groupUpdateDescription: (jid: string, description?: string) => Promise<void>
  groupSettingUpdate: (jid: string, setting: 'announcement' | 'not_announcement') => Promise<void>
  groupParticipantsUpdate: (
    jid: string,
    participants: string[],
    action: MemberAct,
  ) => Promise<{ status: string; jid?: string }[]>
  groupInviteCode: (jid: string) => Promise<string | undefined>
  groupRevokeInvite: (jid: string) => Promise<string | undefined>
  updateProfilePicture: (jid: string, picture: Buffer) => Promise<void>
  fetchAccountReachoutTimelock: () => Promise<{ isActive?: boolean; timeEnforcementEnds?: Date } | undefined>
  getLIDForPN: (pn: string) => Promise<string | null>
  updateMediaMessage: (message: WAMessage) => Promise<WAMessage>
}

/** What a port is opened with: the login, and what the library asks of us. */
export type PortOptions = {
  auth: AuthenticationState
  opened: Opened
  deviceName: string
  /** Conversations of the past are wanted. */
  wantsHistory: boolean
  getMessage: (key: WAMessageKey) => Promise<proto.IMessage | undefined>
  cachedGroupMetadata: (jid: string) => Promise<GroupMetadata | undefined>
}

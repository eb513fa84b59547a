import { session } from '../../../kit/session.ts'

type Kind = 'reason' | 'farewell' | 'transfer' | 'pause'
const keyOf = (kind: Kind) => `ultima-escolha-${kind}-${session.get()?.userId ?? ''}`

/** What this person chose last in a dialog: it stands first the next time. */
export const lastChoice = (kind: Kind): string | null => localStorage.getItem(keyOf(kind))
export const rememberChoice = (kind: Kind, choice: string | null) => {
  if (choice) localStorage.setItem(keyOf(kind), choice)
  else localStorage.removeItem(keyOf(kind))
}

import { parsePhoneNumber, readablePhone } from '../../../kit/phone-numbers.ts'
import { isNoName } from '../contacts/identify.ts'

/** How a member is shown: as their contact is called, else as their channel calls them, else by what is known of them. */
export const memberName = ({
  name,
  contactName,
  keys,
}: {
  name: string | null
  contactName: string | null
  keys: string[]
}): string => {
  if (contactName && !isNoName(contactName) && contactName !== 'Contato') return contactName
  if (name && !isNoName(name)) return name
  const phone = keys.flatMap((key) => digitsIn(key) ?? []).find((digits) => parsePhoneNumber(`+${digits}`)?.isValid())
  return phone ? readablePhone(phone) : 'Participante'
}
/** Digits that are no phone are an id that hides one. */
const digitsIn = (key: string) => /^phone:(.*)$/.exec(key)?.[1]
export const phoneIn = (keys: string[]) => keys.map(digitsIn).find((digits) => digits !== undefined)

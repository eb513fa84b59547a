import { parsePhoneNumber } from '../../../kit/phone-numbers.ts'

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
  if (contactName && !isNumber(contactName) && contactName !== 'Contato') return contactName
  if (name && !isNumber(name)) return name
  const phone = keys.map(asPhone).find((one) => one?.isValid())
  return phone?.formatInternational() ?? 'Participante'
}
/** Digits that are no phone are an id that hides one. */
const asPhone = (key: string) =>
  key.startsWith('phone:') ? parsePhoneNumber(`+${key.slice('phone:'.length)}`) : undefined
export const phoneIn = (keys: string[]) => keys.find((key) => key.startsWith('phone:'))?.slice('phone:'.length)

const isNumber = (name: string) => /^[+\d\s().-]*$/.test(name)

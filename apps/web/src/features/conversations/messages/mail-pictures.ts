const key = 'mailPictures'
const most = 500

/** Whose mails show the pictures of other servers on this computer, by the contact's id. */
export const showsPictures = (contactId: string): boolean => read().includes(contactId)

export const rememberPictures = (contactId: string) => {
  try {
    localStorage.setItem(key, JSON.stringify([contactId, ...read().filter((one) => one !== contactId)].slice(0, most)))
  } catch {
    // A full or closed store: it is asked again next time.
  }
}

const read = (): string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

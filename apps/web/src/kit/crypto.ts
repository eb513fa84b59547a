import { api } from './api.ts'

export const encryptionFailedText = 'Não foi possível proteger a senha. Acesse por HTTPS.'

/** The password as the server wants it: base64 of RSA-OAEP-SHA-256. Never falls back to plain text. */
export const encryptPassword = async (password: string): Promise<string> => {
  try {
    const key = await crypto.subtle.importKey(
      'spki',
      fromBase64(await publicKey()),
      { name: 'RSA-OAEP', hash: 'SHA-256' },
      false,
      ['encrypt'],
    )
    const sealed = await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, key, new TextEncoder().encode(password))
    return btoa(String.fromCharCode(...new Uint8Array(sealed)))
  } catch (cause) {
    throw new Error(encryptionFailedText, { cause })
  }
}

/** From the server; when that fails or is empty, the one written into the page. */
const publicKey = async (): Promise<string> => {
  const fetched = await api.get<string>('/publicEncryptionKey', { timeoutMs: 5_000, quiet: true }).catch(() => '')
  return fetched || (document.querySelector('meta[name="balcao-key"]')?.getAttribute('content') ?? '')
}

const fromBase64 = (text: string) => Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0))

import { constants, createPublicKey, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from '../../env.ts'
import { AppError } from '../../kit/errors.ts'

/** The installation's RSA-3072 pair for passwords in flight (ruling 9): made on first start, kept in the data folder. */
const loadPrivateKey = () => {
  const file = join(env.DATA_DIR, 'login-key.pem')
  mkdirSync(env.DATA_DIR, { recursive: true })
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 3072,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    try {
      writeFileSync(file, privateKey, { mode: 0o600, flag: 'wx' })
    } catch {} // another process of this installation was faster
  }
  return readFileSync(file, 'utf8')
}

let privateKey: string | undefined
const key = () => {
  privateKey ??= loadPrivateKey()
  return privateKey
}

/** Base64 of the public key (DER, SPKI): what `GET /publicEncryptionKey` answers. */
export const loginPublicKey = () => createPublicKey(key()).export({ type: 'spki', format: 'der' }).toString('base64')

/** The password inside base64 of RSA-OAEP-SHA-256; anything else is refused with 422. */
export const decryptPassword = (encrypted: string): string => {
  try {
    const options = { key: key(), padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
    return privateDecrypt(options, Buffer.from(encrypted, 'base64')).toString('utf8')
  } catch {
    throw new AppError('ERR_PASSWORD_PLAIN')
  }
}

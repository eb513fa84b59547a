import { errorCodes } from '@balcao/contract/errors.ts'
import { ApiError } from '../../../kit/api-error.ts'
import { encryptPassword } from '../../../kit/crypto.ts'

/** The password ready to travel; where it cannot be protected, the failure says so as the server would. */
export const sealPassword = (password: string): Promise<string> =>
  encryptPassword(password).catch(() => {
    throw new ApiError({ status: 0, code: 'ERR_PASSWORD_PLAIN', message: errorCodes.ERR_PASSWORD_PLAIN.text })
  })

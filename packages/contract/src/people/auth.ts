import { z } from 'zod'
import { email, id, personName, tenantId } from '../common.ts'
import { tenantStatuses } from '../core/tenant-status.ts'
import { permissions, profiles } from '../permissions.ts'
import { encryptedPassword, user, userConfigs } from './users.ts'

export const loginBody = z.object({ email: z.string().trim().toLowerCase().max(254), password: encryptedPassword })

export const sessionAnswer = z.object({
  token: z.string(),
  username: z.string(),
  email: z.string(),
  profile: z.enum(profiles),
  /** The role of the company's own that stands for the profile. */
  roleName: z.string().nullable(),
  userId: id,
  tenantId,
  isSupport: z.boolean(),
  queues: z.array(z.object({ id, name: z.string(), color: z.string() })),
  blockWavoip: z.boolean(),
  whatsappAllowed: z.boolean(),
  configs: userConfigs,
  permissions: z.array(z.enum(permissions as [string, ...string[]])),
  menuVisibility: z.record(z.string(), z.boolean()),
  /** Key/value tenant settings and the flags. */
  configuracoes: z.record(z.string(), z.unknown()),
  tenant: z.object({
    name: z.string(),
    status: z.enum(tenantStatuses),
    logoUrl: z.string().nullable(),
    colors: z.array(z.object({ label: z.string(), value: z.string() })),
    timezone: z.string(),
    /** Kinds of channel it may add; null: every one. */
    allowedChannels: z.array(z.string()).nullable(),
  }),
  /** Where the same person has another profile: their company, or the platform (0). */
  otherProfile: z.object({ tenantId, name: z.string() }).nullable(),
  /** Set while a superadmin acts inside this company. */
  impersonatedBy: z.string().nullable(),
})
export type SessionAnswer = z.output<typeof sessionAnswer>
/** GET /auth/me: the same, for a page that already holds its token. */
export const sessionMe = sessionAnswer.omit({ token: true })
/** GET /users/{id}: the user; of oneself also what the login told besides. */
export const userSelf = user.extend(
  sessionAnswer.pick({ permissions: true, menuVisibility: true, configuracoes: true, tenant: true }).partial().shape,
)
export type UserSelf = z.output<typeof userSelf>

export const setupBody = z.object({
  tokenSetup: z.string().min(10).max(200),
  company: z.string().trim().min(2, 'Informe o nome da empresa.').max(120),
  name: personName,
  email,
  password: encryptedPassword,
  /** Who administers the company, where that is somebody else than who takes care of the platform. */
  admin: z.object({ name: personName, email, password: encryptedPassword }).optional(),
})
/** POST /auth/switch: to one's other profile; to the platform with the password. */
export const switchBody = z.object({ password: encryptedPassword.optional() })
export const setupStateBody = z.object({ tokenSetup: z.string().max(200).optional() })
/** Where the installation stands, and whether this link would still install it. */
export const setupState = z.object({ isInstalled: z.boolean(), isUsable: z.boolean() })
export const passwordResetBody = z.object({ email })
/** `name`: how somebody who was invited calls themselves. */
export const resetPasswordBody = z.object({
  token: z.string().min(10).max(200),
  password: encryptedPassword,
  name: personName.optional(),
})
export const changePasswordBody = z.object({ current: encryptedPassword, next: encryptedPassword })
export const redeemBody = z.object({ code: z.string().trim().min(10).max(200) })

/** The rule for a new password; the server applies it after decrypting. */
export const newPassword = z.string().min(8, 'Use uma senha com pelo menos 8 caracteres.').max(200)

/** A sentence to show. */
export const messageAnswer = z.object({ message: z.string() })
/** Whether a forgotten password can be reset by e-mail, or one must ask the administrator. */
export const resetHelp = z.object({ byEmail: z.boolean() })
/** POST /reset-password/check: whose link it is; null where it no longer works. */
export const resetCheckBody = resetPasswordBody.pick({ token: true })
export const resetCheckAnswer = z.object({
  isValid: z.boolean(),
  account: z.object({ name: z.string(), email: z.string(), company: z.string() }).nullable(),
})
export const versionAnswer = z.object({ version: z.string(), build: z.string() })

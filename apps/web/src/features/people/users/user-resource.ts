import { newPassword } from '@balcao/contract/people/auth.ts'
import { user, userCreate, userDelete } from '@balcao/contract/people/users.ts'
import { resource } from '@balcao/contract/resource.ts'

/** People as ResourceScreen handles them. The password is plain only inside the form, and empty where it stays as it is. */
export const userResource = resource({
  path: '/users',
  event: 'user',
  label: { one: 'Usuário', many: 'Usuários' },
  row: user,
  write: userCreate.extend({ password: newPassword.nullish(), handOverTo: userDelete.shape.handOverTo }),
  fields: {
    password: 'Senha',
    roleId: 'Perfil',
    queueIds: 'Filas',
    capacity: 'Conversas ao mesmo tempo',
    menuPermissions: 'Menus',
    allowedHours: 'Horários de acesso',
    isBlocked: 'Bloqueado',
    handOverTo: 'Para quem vão as conversas',
  },
  sort: ['name', 'email', 'createdAt', 'lastLoginAt'],
  can: { read: 'users.write', write: 'users.write' },
})

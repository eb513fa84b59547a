import type { Profile } from '@balcao/contract/permissions.ts'

/** How people call each profile, and what it may do in one sentence. */
export const profileLabels: Record<Profile, { name: string; can: string }> = {
  user: { name: 'Atendente', can: 'Atende as próprias conversas e as das filas de que participa.' },
  super: { name: 'Supervisor', can: 'Também vê a equipe, cuida de filas e etiquetas e acompanha os números.' },
  admin: { name: 'Administrador', can: 'Faz tudo na empresa, incluindo usuários, canais e configurações.' },
  superadmin: { name: 'Plataforma', can: 'Cuida das empresas.' },
}

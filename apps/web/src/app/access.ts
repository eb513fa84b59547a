import type { MenuVisibility, Permission, Profile } from '@balcao/contract/permissions.ts'
import type { Screen } from './screens.ts'

export type Visitor = { profile: Profile; menuVisibility: MenuVisibility; permissions: readonly Permission[] }

/** A path beginning with a hidden menu key, or a route whose name is hidden, is closed to all but the superadmin. */
export const isHidden = ({ profile, menuVisibility }: Visitor, path: string, name?: string): boolean => {
  if (profile === 'superadmin') return false
  const hidden = Object.keys(menuVisibility).filter((key) => menuVisibility[key] === false)
  return hidden.some((key) => key === name || path === `/${key}` || path.startsWith(`/${key}/`))
}

export const isAllowed = (visitor: Visitor, screen: Screen): boolean =>
  !isHidden(visitor, screen.path, screen.name) &&
  !(screen.menu && isHidden(visitor, `/${screen.menu}`)) &&
  (!screen.can || visitor.permissions.includes(screen.can))

/** After login: admin and super to home, superadmin to assinatura, anyone else to atendimento. */
export const landingOf = (visitor: Visitor, screens: readonly Screen[]): string => {
  const wished = {
    superadmin: ['/assinatura', '/tenants'],
    admin: ['/home', '/contatos'],
    super: ['/home', '/contatos'],
    user: ['/atendimento', '/contatos'],
  }[visitor.profile]
  return firstOpen(visitor, screens, wished)
}

/** The main layout's root and the index route: assinatura for a superadmin, contatos for the others. */
export const rootOf = (visitor: Visitor, screens: readonly Screen[]): string =>
  firstOpen(visitor, screens, visitor.profile === 'superadmin' ? ['/assinatura', '/tenants'] : ['/contatos'])

/** The first wished screen this person can open, else the first of all, so that nobody is sent round in circles. */
const firstOpen = (visitor: Visitor, screens: readonly Screen[], wished: readonly string[]): string => {
  const open = screens.filter((screen) => isAllowed(visitor, screen)).map((screen) => screen.path)
  return wished.find((path) => open.some((one) => one === path)) ?? open[0] ?? '/sem-acesso'
}

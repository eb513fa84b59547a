import { everybodysPermissions, type MenuVisibility, type Permission } from '@balcao/contract/permissions.ts'
import type { Screen } from './screens.ts'

export type Visitor = { menuVisibility: MenuVisibility; permissions: readonly Permission[] }

/** A path beginning with a hidden menu key, or a route whose name is hidden, is closed; of the platform's people nothing is hidden. */
export const isHidden = ({ menuVisibility }: Visitor, path: string, name?: string): boolean => {
  const hidden = Object.keys(menuVisibility).filter((key) => menuVisibility[key] === false)
  return hidden.some((key) => key === name || path === `/${key}` || path.startsWith(`/${key}/`))
}

export const isAllowed = (visitor: Visitor, screen: Screen): boolean =>
  !isHidden(visitor, screen.path, screen.name) &&
  !(screen.menu && isHidden(visitor, `/${screen.menu}`)) &&
  (!screen.can || visitor.permissions.includes(screen.can))

const isOfPlatform = ({ permissions }: Visitor) => permissions.includes('platform.read')

/** After login: who leads a team to home, who keeps the platform to assinatura, anyone else to atendimento. */
export const landingOf = (visitor: Visitor, screens: readonly Screen[]): string => {
  if (isOfPlatform(visitor)) return rootOf(visitor, screens)
  const leads = visitor.permissions.includes('users.supervise')
  return firstOpen(visitor, screens, [leads ? '/home' : '/atendimento', '/contatos'])
}

/** The main layout's root and the index route: assinatura for the platform's people, contatos for the others. */
export const rootOf = (visitor: Visitor, screens: readonly Screen[]): string =>
  firstOpen(visitor, screens, isOfPlatform(visitor) ? ['/assinatura', '/tenants'] : ['/contatos'])

/**
 * The first wished screen this person can open, else the first of their own work, else the first of all, so that nobody
 * is sent round in circles.
 */
const firstOpen = (visitor: Visitor, screens: readonly Screen[], wished: readonly string[]): string => {
  const open = screens.filter((screen) => isAllowed(visitor, screen))
  const own = open.find(({ can }) => can && !everybodysPermissions.includes(can)) ?? open[0]
  return wished.find((path) => open.some((one) => one.path === path)) ?? own?.path ?? '/sem-acesso'
}

import { returnPaths } from '@balcao/contract/core/integrations/return-paths.ts'
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { onSessionEnd } from '../kit/api.ts'
import { session } from '../kit/session.ts'
import { isAllowed, landingOf, rootOf } from './access.ts'
import { Guard } from './guard.tsx'
import { NoAccess, NotFound } from './not-found.tsx'
import { RouteError } from './route-error.tsx'
import { screens } from './screens.ts'
import { visitorOf } from './visitor.ts'

const Root = () => {
  const current = session.get()
  return current && <Navigate to={rootOf(visitorOf(current), screens)} replace />
}

/** Where the login leads; a path of its own, so that the account screens need not know the others. */
const Entrance = () => {
  const current = session.get()
  return current && <Navigate to={landingOf(visitorOf(current), screens)} replace />
}

const screenRoutes = screens.map((screen): RouteObject => {
  const children = screen.below?.map((path): RouteObject => ({ path, element: null }))
  return {
    path: screen.path,
    id: screen.name,
    handle: screen,
    lazy: async () => {
      const visitor = session.get()
      if (visitor && !isAllowed(visitorOf(visitor), screen)) return { element: null } // the guard answers; no need to load the code
      const { default: Screen } = await screen.load()
      return { element: <Screen key={screen.path} /> } // two addresses may share one: each begins anew
    },
    ...(children && { children }),
  }
})

/** Addresses that are registered with the client of a provider. */
const consentReturns = [...Object.values(returnPaths), '/auth/google/callback']

/** Public routes first; everything else is behind the guard, unknown addresses too. */
export const router = createBrowserRouter([
  {
    HydrateFallback: () => null,
    ErrorBoundary: RouteError,
    children: [
      {
        path: '/login',
        lazy: async () => ({ Component: (await import('../screens/people/account/login-screen.tsx')).default }),
      },
      {
        path: '/signup',
        lazy: async () => ({ Component: (await import('../screens/people/account/signup-screen.tsx')).default }),
      },
      {
        path: '/reset/:token',
        lazy: async () => ({ Component: (await import('../screens/people/account/reset-screen.tsx')).default }),
      },
      {
        path: '/protocolo/:token',
        lazy: async () => ({ Component: (await import('../screens/service/protocolo/protocolo-screen.tsx')).default }),
      },
      {
        path: '/proposta/:token',
        lazy: async () => ({ Component: (await import('../screens/sales/proposta/proposta-screen.tsx')).default }),
      },
      ...consentReturns.map((path) => ({
        path,
        lazy: async () => ({ Component: (await import('../screens/people/account/consent-screen.tsx')).default }),
      })),
      {
        path: '/masterkey',
        lazy: async () => ({ Component: (await import('../screens/people/account/masterkey-screen.tsx')).default }),
      },
      {
        Component: Guard,
        children: [
          { index: true, Component: Root },
          { path: '/entrada', Component: Entrance },
          {
            ErrorBoundary: RouteError,
            children: [
              ...screenRoutes,
              { path: '/sem-acesso', Component: NoAccess },
              { path: '*', Component: NotFound },
            ],
          },
        ],
      },
    ],
  },
])

onSessionEnd(() => void router.navigate('/login', { replace: true }))

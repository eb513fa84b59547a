import type { ErrorCode } from '@balcao/contract/errors.ts'
import type { Permission } from '@balcao/contract/permissions.ts'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Actor } from './actor.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission a caller needs. A route without it, or `public: true`, stops the server at boot. */
    can?: Permission
    /** Anyone may call; the route proves who calls by itself (login, provider signature, visitor token). */
    public?: true
    /** What the call does, as the reference of the API says it. */
    summary: string
    /** The area of the product it belongs to. */
    area?: string
    /** What it may refuse beside what follows from its permission and its schemas. */
    errors?: readonly ErrorCode[]
    /** Its body is one file, as a form. */
    takesFile?: true
    /** Its body may also come as a form, with files under these names. */
    takesForm?: readonly string[]
    /** The media type of its answer, when that is not JSON. */
    gives?: string
    /** Not for outside callers: the reference leaves it out. */
    isHidden?: true
  }
  interface FastifyInstance {
    /** What we answer, as an OpenAPI document in JSON. */
    reference: () => string
  }
  interface FastifyRequest {
    /** The caller; present on every route that declares `can`. */
    actor: Actor
  }
}

/** Fastify as our features see it: zod in, zod out. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>
/** A feature's door: registers its routes (paths without /api). */
export type Routes = (app: App) => void

/** Marks every route of a plugin that knows nothing of permissions (static files, documentation) as public. */
export const everyRoutePublic = (scope: Pick<FastifyInstance, 'addHook'>) => {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, public: true, summary: route.url, isHidden: true }
  })
}

import { type ResolveFnOutput, registerHooks } from 'node:module'

/**
 * Import this first. drizzle-orm describes its hundred modules in one package.json of 180 kB, which Node reads again for
 * every import that passes through it: half of a cold start and 100 MB of garbage. Remembering where they are skips that.
 */
const known = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier.startsWith('.') && context.parentURL?.includes('/node_modules/drizzle-orm/')) {
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    }
    if (!specifier.startsWith('drizzle-orm')) return next(specifier, context)
    const found = known.get(specifier) ?? { ...next(specifier, context), format: 'module', shortCircuit: true }
    known.set(specifier, found)
    return found
  },
})

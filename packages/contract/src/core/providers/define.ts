import type { z } from 'zod'

/** Form hints of one config field, read by the screen that draws it. */
export type FieldMeta = {
  label: string
  help?: string
  /** On no form: for rehearsals, by the API, or on a page of its own. */
  isHidden?: boolean
  /** Where the help says more. */
  link?: { label: string; url: string }
  placeholder?: string
  secret?: boolean
  multiline?: boolean
  /** What the text names: the server refuses what our calls may not reach. A day is written 2026-01-31. */
  is?: 'url' | 'host' | 'date'
  /** The text may hold `{{variables}}`. */
  withVariables?: true
  /** The value is the id of one of these rows, or several. */
  names?:
    | 'tags'
    | 'queues'
    | 'people'
    | 'lanes'
    | 'reasons'
    | 'quickMessages'
    | 'connections'
    | 'webhooks'
    | 'voiceAccounts'
    | 'flows'
    | 'mailAccounts'
    | 'pipelines'
    | 'stages'
    | 'winReasons'
    | 'loseReasons'
  /** Of those rows, only the ones of this kind are offered. */
  ofKind?: string
  /** The text is one of what the account offers, asked of it while the form is open, or typed. */
  suggests?: 'models' | 'audioModels' | 'embeddingModels'
  /** Of a number: how many digits it may have after the comma. */
  decimals?: number
  /** What a number counts: the form says it in words. */
  unit?: 'minutes'
  /** The choices of an enum, as people read them. */
  options?: Record<string, string>
  /** The heading above this field and those after it, up to the next heading. */
  section?: string
  /**
   * The provider makes it for us where nobody gives one; on another server it means nothing. On everybody's server it is
   * not given, `unlessProven`: unless a secret of its own goes with it.
   */
  isMadeByUs?: true | 'unlessProven'
  /** Shown, and kept, only while another field has this value. The schema leaves such a field optional. */
  shownWhen?: Condition | readonly Condition[]
  /** The ability without which the field means nothing. */
  needs?: string
  /** The company's setting that holds while the field says nothing. */
  follows?: string
  /** Whoever sees the field has to fill it; with a condition, only where that holds. */
  isNeeded?: true | Condition
}
/** Another field has this value, or one of these. */
export type Condition = { field: string; is: string | boolean | readonly string[] }

/** The provider's mark: strokes on a square of 24, white on its colour. */
export type Glyph = { label: string; color: `#${string}`; paths: readonly string[] }

/** Something to copy and take to the provider; `{webhookUrl}`, `{appWebhookUrl}`, `{channelKey}`, `{origin}` and config fields are filled in. */
export type Address = {
  label: string
  value: string
  multiline?: true
  /** Said when the address is none that the internet can reach. */
  unreachable?: string
  shownWhen?: Condition
}

/** What somebody has to do; with a condition, only where the form says so. */
export type Step = string | { text: string; shownWhen: Condition }

/** An account is opened by the person's consent at the provider (OAuth 2 with a code), not by a secret they type. */
export type OAuth = {
  /** What the button asks: "Autorizar conta Google". */
  label: string
  /** Whose account it is, with its article: "o Google". */
  owner: string
  /** The page of ours to which the browser is sent back; registered with the client, as a whole address. */
  returnPath: `/${string}`
  scopes: readonly string[]
  /** Further parameters of the consent page. */
  extra?: Record<string, string>
}

/**
 * What anything with credentials is, as data: the gallery and the settings form are drawn from it, the server seals the
 * fields marked `secret`. A new provider is its definition, what it does on the server, and one line in each registry.
 */
export type Provider<Kind extends string = string, Config extends z.ZodObject = z.ZodObject> = {
  kind: Kind
  label: string
  description: string
  /** What people may look for when they mean it, besides its name. */
  words?: string
  glyph: Glyph
  /** What has to be done with the provider, before and after saving. */
  steps?: { before?: readonly Step[]; after?: readonly Step[] }
  addresses?: readonly Address[]
  /** A screen of ours with what does not fit the form; filled in like an address. */
  settingsPage?: { label: string; path: string }
  /** A page of ours that shows what the saved settings look like; filled in like an address. */
  preview?: { label: string; path: string }
  /**
   * The config then has the fields `ownClient`, `clientId`, `clientSecret`, `authorizeUrl` and `tokenUrl`. A company without
   * a client of its own asks in the name of the installation, at the addresses these fields begin with.
   */
  oauth?: OAuth
  config: Config
}

export const defineProvider = <Kind extends string, Config extends z.ZodObject, More extends object>(
  definition: Provider<Kind, Config> & More,
) => definition

/** `{name}` replaced by what is known under it; undefined when something of it is not known. */
export const filledAddress = (template: string, values: Record<string, unknown>): string | undefined => {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.some((name) => typeof values[name] !== 'string' || values[name] === '')) return undefined
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}

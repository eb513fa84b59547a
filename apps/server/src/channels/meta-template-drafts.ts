import { emptyDraft, isDraftNumbered, type TemplateDraft } from '@balcao/contract/channels/template-draft.ts'
import { placesOf } from '@balcao/contract/channels/template-text.ts'
import { templateCategories } from '@balcao/contract/channels/templates.ts'
import { z } from 'zod'
import { templateShapeOf } from './template-shape.ts'

type Component = Record<string, unknown>

/** A draft as `POST …/message_templates` takes it (waba-meta.md §5); `handle` names the uploaded example of its header. */
export const componentsOf = (draft: TemplateDraft, handle: string | null): Component[] => {
  if (draft.category === 'AUTHENTICATION') return accessOf(draft)
  const isNumbered = isDraftNumbered(draft)
  return [
    ...headerOf(draft, isNumbered, handle),
    bodyOf(draft, isNumbered),
    ...(draft.footer ? [{ type: 'FOOTER', text: draft.footer }] : []),
    ...(draft.buttons.length ? [{ type: 'BUTTONS', buttons: draft.buttons.map(buttonOf) }] : []),
  ]
}
/** The words are Meta's, in each language. */
const accessOf = ({ access: { warns, minutes, button } }: TemplateDraft): Component[] => [
  { type: 'BODY', add_security_recommendation: warns },
  ...(minutes ? [{ type: 'FOOTER', code_expiration_minutes: minutes }] : []),
  { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: button }] },
]
export const formatOf = (draft: TemplateDraft) => (isDraftNumbered(draft) ? 'POSITIONAL' : 'NAMED')

const headerOf = ({ header }: TemplateDraft, isNumbered: boolean, handle: string | null): Component[] => {
  if (header.kind === 'none') return []
  if (header.kind !== 'text')
    return [
      { type: 'HEADER', format: header.kind.toUpperCase(), ...(handle && { example: { header_handle: [handle] } }) },
    ]
  const [place] = placesOf(header.text)
  const example = isNumbered
    ? { header_text: [header.example] }
    : { header_text_named_params: [{ param_name: place, example: header.example }] }
  return [{ type: 'HEADER', format: 'TEXT', text: header.text, ...(place && { example }) }]
}

const bodyOf = ({ body }: TemplateDraft, isNumbered: boolean): Component => {
  const places = placesOf(body.text)
  const values = places.map((_, at) => body.examples[at] ?? '')
  const example = isNumbered
    ? { body_text: [values] }
    : { body_text_named_params: places.map((param_name, at) => ({ param_name, example: values[at] })) }
  return { type: 'BODY', text: body.text, ...(places.length && { example }) }
}

const buttonOf = ({ kind, text, value, example }: TemplateDraft['buttons'][number]): Component => {
  switch (kind) {
    case 'reply':
      return { type: 'QUICK_REPLY', text }
    case 'url':
      return { type: 'URL', text, url: value, ...(placesOf(value).length && { example: [example] }) }
    case 'phone':
      return { type: 'PHONE_NUMBER', text, phone_number: value.replace(/[\s()-]/g, '') }
    case 'code':
      return { type: 'COPY_CODE', example: [example] }
  }
}

type Kept = { name: string; language: string; category: string; components: Component[] }
const named = z.array(z.object({ param_name: z.string(), example: z.string() })).catch([])
const exampled = z.object({
  type: z.string().transform((type) => type.toUpperCase()),
  example: z
    .object({
      header_text: z.array(z.string()).catch([]),
      header_text_named_params: named,
      body_text: z.array(z.array(z.string())).catch([]),
      body_text_named_params: named,
    })
    .partial()
    .optional()
    .catch(undefined),
  buttons: z
    .array(
      z.object({
        example: z
          .union([z.string(), z.array(z.string())])
          .optional()
          .catch(undefined),
      }),
    )
    .catch([]),
})

/** A template as it would be written here; undefined when it has what cannot be. Its header's file is to be chosen again. */
export const draftOf = ({ name, language, category, components }: Kept): TemplateDraft | undefined => {
  const known = templateCategories.find((one) => one === category)
  if (known === 'AUTHENTICATION')
    return { ...emptyDraft, name, language, category: known, access: accessIn(components) }
  const parsed = templateShapeOf(components)
  if ('obstacle' in parsed || !known) return undefined
  const { header, body, footer, buttons } = parsed.shape
  const parts = components.flatMap((one) => exampled.safeParse(one).data ?? [])
  const part = (type: string) => parts.find((one) => one.type === type)
  const headed = part('HEADER')?.example
  const said = part('BODY')?.example
  const bodyValues = said?.body_text?.[0] ?? []
  return {
    name,
    language,
    category: known,
    header: header
      ? {
          kind: header.kind,
          text: header.text,
          example: headed?.header_text?.[0] ?? headed?.header_text_named_params?.[0]?.example ?? '',
          mediaId: null,
        }
      : { kind: 'none', text: '', example: '', mediaId: null },
    body: {
      text: body.text,
      examples: body.places.map(
        (place, at) =>
          said?.body_text_named_params?.find(({ param_name }) => param_name === place)?.example ?? bodyValues[at] ?? '',
      ),
    },
    footer,
    access: emptyDraft.access,
    buttons: buttons.map(({ kind, text, value }, at) => ({
      kind,
      text,
      value,
      example: [part('BUTTONS')?.buttons[at]?.example ?? ''].flat()[0] ?? '',
    })),
  }
}

const accessPart = z.object({
  type: z.string().transform((type) => type.toUpperCase()),
  add_security_recommendation: z.boolean().default(false),
  code_expiration_minutes: z.number().optional(),
  buttons: z.array(z.object({ text: z.string().optional() })).default([]),
})
/** What was chosen of an access code, as Meta repeats it. */
const accessIn = (components: Component[]): TemplateDraft['access'] => {
  const parts = components.flatMap((one) => accessPart.safeParse(one).data ?? [])
  const part = (type: string) => parts.find((one) => one.type === type)
  return {
    warns: part('BODY')?.add_security_recommendation ?? false,
    minutes: part('FOOTER')?.code_expiration_minutes ?? null,
    button: part('BUTTONS')?.buttons[0]?.text ?? emptyDraft.access.button,
  }
}

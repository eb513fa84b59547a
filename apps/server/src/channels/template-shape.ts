import { placesOf } from '@balcao/contract/channels/template-text.ts'
import type { TemplateShape } from '@balcao/contract/channels/templates.ts'
import { z } from 'zod'

const text = z.string()
const component = z.object({
  type: text.transform((type) => type.toUpperCase()),
  format: text.transform((format) => format.toUpperCase()).default('TEXT'),
  text: text.default(''),
  buttons: z
    .array(
      z.object({
        type: text.transform((type) => type.toUpperCase()),
        text: text.default(''),
        url: text.default(''),
        phone_number: text.default(''),
        otp_type: text.default(''),
      }),
    )
    .default([]),
})
type Component = z.output<typeof component>
type Button = TemplateShape['buttons'][number]

/** Meta's components in our words; or, in Portuguese, the part that nobody can fill in by hand. */
export const templateShapeOf = (components: unknown): { shape: TemplateShape } | { obstacle: string } => {
  const parsed = z.array(component).safeParse(components)
  if (!parsed.success) return { obstacle: obstacleText('uma parte que não conhecemos') }
  const shape: TemplateShape = { header: null, body: { text: '', places: [] }, footer: '', buttons: [] }
  for (const part of parsed.data) {
    const obstacle = add(shape, part)
    if (obstacle) return { obstacle: obstacleText(obstacle) }
  }
  return { shape }
}

const add = (shape: TemplateShape, part: Component): string | undefined => {
  switch (part.type) {
    case 'HEADER': {
      const kind = headerKinds[part.format]
      if (!kind) return part.format === 'LOCATION' ? 'um mapa no cabeçalho' : 'um cabeçalho que não conhecemos'
      shape.header = { kind, text: part.text, places: kind === 'text' ? placesOf(part.text) : [] }
      return undefined
    }
    case 'BODY':
      shape.body = { text: part.text, places: placesOf(part.text) }
      return undefined
    case 'FOOTER':
      shape.footer = part.text
      return undefined
    case 'BUTTONS': {
      for (const button of part.buttons) {
        const known = buttonOf(button)
        if (!known) return buttonNames[button.type] ?? 'um botão que não conhecemos'
        shape.buttons.push(known)
      }
      return undefined
    }
    default:
      return part.type === 'CAROUSEL' ? 'um carrossel' : 'uma parte que não conhecemos'
  }
}

const headerKinds: Partial<Record<string, NonNullable<TemplateShape['header']>['kind']>> = {
  TEXT: 'text',
  IMAGE: 'image',
  VIDEO: 'video',
  GIF: 'video',
  DOCUMENT: 'document',
}

/** Meta takes the code of an access message as the end of an address. */
const buttonOf = ({
  type,
  text: title,
  url,
  phone_number,
  otp_type,
}: Component['buttons'][number]): Button | undefined => {
  switch (type) {
    case 'QUICK_REPLY':
      return { kind: 'reply', text: title, value: '', takesValue: false }
    case 'URL':
      return { kind: 'url', text: title, value: url, takesValue: placesOf(url).length > 0 }
    case 'PHONE_NUMBER':
      return { kind: 'phone', text: title, value: phone_number, takesValue: false }
    case 'OTP':
      return otp_type === 'COPY_CODE' ? { kind: 'url', text: title, value: '{{1}}', takesValue: true } : undefined
    case 'COPY_CODE':
      return { kind: 'code', text: title || 'Copiar código', value: '', takesValue: true }
    default:
      return undefined
  }
}
const buttonNames: Partial<Record<string, string>> = {
  OTP: 'um código de acesso que se preenche sozinho',
  FLOW: 'um formulário',
  CATALOG: 'um catálogo',
  MPM: 'uma lista de produtos',
  VOICE_CALL: 'um botão de ligação',
}
const obstacleText = (what: string) => `Este modelo tem ${what} e não pode ser preenchido por aqui.`

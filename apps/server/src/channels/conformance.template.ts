import { type Template, type TemplateInput, templateInput } from '@balcao/simulators/waba/templates.ts'
import { templateShapeOf } from './template-shape.ts'

/** A template of Meta's, as a channel that has templates shows it. */
export const sample: TemplateInput = {
  name: 'pedido_enviado',
  language: 'pt_BR',
  category: 'UTILITY',
  parameter_format: 'NAMED',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Pedido {{numero}}', example: {} },
    { type: 'BODY', text: 'Oi {{nome}}, chega {{dia}}. Até {{dia}}, {{nome}}!', example: {} },
    { type: 'FOOTER', text: 'Loja Aurora' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Ok' },
        { type: 'URL', text: 'Rastrear', url: 'https://ex.com/{{1}}' },
      ],
    },
  ],
}
export const templatePart = {
  name: sample.name,
  language: sample.language,
  header: ['123'],
  body: ['Ana', 'amanhã'],
  buttons: { 1: '9' },
  shape: shapeOf(sample.components),
  shown: 'Pedido 123\n\nOi Ana, chega amanhã. Até amanhã, Ana!\n\nLoja Aurora',
}
function shapeOf(components: unknown) {
  const parsed = templateShapeOf(components)
  if ('obstacle' in parsed) throw new Error(parsed.obstacle)
  return parsed.shape
}

/** As Meta keeps it once it is approved. */
export const sampleTemplate: Template = {
  ...templateInput.parse(sample),
  id: '594425479261596',
  status: 'APPROVED',
  rejected_reason: 'NONE',
  quality_score: { score: 'UNKNOWN' },
}

import { randomInt } from 'node:crypto'
import { GraphError } from './errors.ts'
import type { State } from './state.ts'
import { parseTemplate, type Template, type TemplateStatus } from './templates.ts'
import type { Webhooks } from './webhooks.ts'

export type Review = ReturnType<typeof createReview>

/** Templates are written by the business and judged by Meta. */
export const createReview = (state: State, webhooks: Webhooks) => {
  const { core } = state

  const addTemplate = (input: unknown, status: TemplateStatus): Template => {
    const parsed = parseTemplate(input)
    if (state.templates.some(({ name, language }) => name === parsed.name && language === parsed.language)) {
      throw new GraphError(100, `There is already ${parsed.language} content for template ${parsed.name}`, {
        subcode: 2388024,
      })
    }
    const id = String(randomInt(1_000_000_000, 9_999_999_999))
    const template = { ...parsed, id, status, rejected_reason: 'NONE', quality_score: { score: 'UNKNOWN' } }
    state.templates.push(template)
    return template
  }

  const judge = (template: Template, status: TemplateStatus, reason = 'NONE') => {
    template.status = status
    template.rejected_reason = reason
    return webhooks.emit({
      kind: 'change',
      field: 'message_template_status_update',
      value: {
        event: status,
        message_template_id: Number(template.id),
        message_template_name: template.name,
        message_template_language: template.language,
        message_template_category: template.category,
        reason,
      },
    })
  }

  const reviewLater = (template: Template) => {
    template.status = 'PENDING'
    if (state.policy.reviewAfterMs === undefined) return
    const timer = setTimeout(() => {
      const verdict = state.policy.review(template)
      void judge(template, verdict, verdict === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE')
    }, state.policy.reviewAfterMs)
    core.closing.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  return { addTemplate, judge, reviewLater }
}

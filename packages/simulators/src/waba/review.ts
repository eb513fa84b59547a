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
    if (state.resting.has(`${parsed.name} ${parsed.language}`))
      throw new GraphError(100, `New ${parsed.language} content cannot be added while it is being deleted`, {
        subcode: 2388023,
      })
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

  /** Its name and language stay; an approved one keeps its category; what is being judged waits for its verdict. */
  const edit = (template: Template, change: object) => {
    const { id: _id, status, rejected_reason: _reason, quality_score: _score, ...current } = template
    if (status === 'PENDING' || status === 'DISABLED')
      throw new GraphError(100, `A template that is ${status} cannot be edited`)
    const next = parseTemplate({ ...current, ...change })
    if (status === 'APPROVED' && next.category !== current.category)
      throw new GraphError(100, 'The category of an approved template cannot be changed')
    Object.assign(template, next, { name: current.name, language: current.language })
    reviewLater(template)
  }

  const forget = (template: Template) => {
    state.templates.splice(state.templates.indexOf(template), 1)
    state.resting.add(`${template.name} ${template.language}`)
  }

  /** How customers take it changed. */
  const grade = (template: Template, score: string) => {
    const before = template.quality_score.score
    template.quality_score = { score }
    const value = {
      previous_quality_score: before,
      new_quality_score: score,
      message_template_id: Number(template.id),
      message_template_name: template.name,
      message_template_language: template.language,
    }
    return webhooks.emit({ kind: 'change', field: 'message_template_quality_update', value })
  }

  /** Meta thinks it is of another kind. */
  const recategorise = (template: Template, category: Template['category']) => {
    const before = template.category
    template.category = category
    const value = {
      message_template_id: Number(template.id),
      message_template_name: template.name,
      message_template_language: template.language,
      previous_category: before,
      new_category: category,
    }
    return webhooks.emit({ kind: 'change', field: 'template_category_update', value })
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

  return { addTemplate, judge, reviewLater, edit, forget, grade, recategorise }
}

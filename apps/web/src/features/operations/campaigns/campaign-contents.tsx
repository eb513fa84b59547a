import type { Campaign } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { type CampaignContent, variantNames } from '@balcao/contract/operations/campaigns/content.ts'
import { Text } from '@mantine/core'
import { plural } from '../../../kit/format.ts'
import classes from './campaigns.module.css'
import { afterText } from './words.ts'

/** What was written: to be read, not to be changed. */
export const CampaignContents = ({ campaign }: { campaign: Campaign }) => {
  const { steps, state, files } = campaign
  const nameOf = (mediaId: string | null) => files.find(({ id }) => id === mediaId)?.name ?? 'arquivo'
  return (
    <details className={classes.contentsRead} open={state === 'scheduled' || state === 'approval'}>
      <summary>O que é enviado</summary>
      <ol className={classes.sources}>
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps in their order
          <li key={at} className={classes.step}>
            {at > 0 && (
              <Text size="sm" c="dimmed">
                {afterText(step)}
              </Text>
            )}
            <div className={classes.grid}>
              {step.variants.map(({ content, weight }, variant) => (
                <div key={variantNames[variant]} className={classes.source}>
                  {step.variants.length > 1 && (
                    <strong>
                      Variante {variantNames[variant]}
                      <Text span size="sm" c="dimmed">
                        {' '}
                        · peso {weight}
                      </Text>
                    </strong>
                  )}
                  <Said content={content} nameOf={nameOf} />
                </div>
              ))}
            </div>
            {step.test && (
              <Text size="sm" c="dimmed">
                Teste com {step.test.percent}% do público; depois de {plural(step.test.hours, 'hora', 'horas')}, o resto
                recebe a variante mais {step.test.by === 'read' ? 'lida' : 'respondida'}.
              </Text>
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}

const Said = ({ content, nameOf }: { content: CampaignContent; nameOf: (mediaId: string | null) => string }) => {
  const { template, templateMediaId, subject, parts } = content
  const values = template ? [...template.header, ...template.body, ...Object.values(template.buttons)] : []
  return (
    <>
      {template && (
        <div className={classes.bubble}>
          Modelo {template.name} ({template.language}){values.length > 0 && `\n${values.join('\n')}`}
          {templateMediaId && `\n[${nameOf(templateMediaId)}]`}
        </div>
      )}
      {subject && <strong>{subject}</strong>}
      {parts.map(({ kind, body, mediaId, interactive }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts in their order
        <div key={at} className={classes.bubble}>
          {[
            (kind === 'file' || kind === 'voice') && `[${nameOf(mediaId)}]`,
            body,
            ...(interactive?.options.map(({ title }) => `▸ ${title}`) ?? []),
          ]
            .filter(Boolean)
            .join('\n')}
        </div>
      ))}
    </>
  )
}

import { templateText } from '@balcao/contract/channels/template-text.ts'
import type { TemplateUse } from '@balcao/contract/channels/templates.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import type { Campaign } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { type CampaignContent, variantNames } from '@balcao/contract/operations/campaigns/content.ts'
import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { plural } from '../../../kit/format.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { useCan } from '../../../kit/use-can.ts'
import { approvedTemplates } from '../../conversations/templates/api.ts'
import { MediaView } from '../../core/media/media-view.tsx'
import { campaignQuery } from './api.ts'
import classes from './campaigns.module.css'
import { afterText, isBeingWritten } from './words.ts'

const MediaViewer = lazyPart(async () => ({ default: (await import('../../core/media/media-viewer.tsx')).MediaViewer }))

/** What was written: to be read, not to be changed. */
export const CampaignContents = ({ campaign }: { campaign: Campaign }) => {
  const cache = useQueryClient()
  const [viewed, setViewed] = useState<Media | null>(null)
  const { id, steps, state, files } = campaign
  const fileOf = (mediaId: string | null) => {
    const media = files.find((one) => one.id === mediaId)
    return (
      media && (
        <MediaView
          message={{ type: media.kind, media, mediaState: 'ready' }}
          onOpen={setViewed}
          onBroken={() => void cache.invalidateQueries({ queryKey: campaignQuery(id).queryKey })}
        />
      )
    )
  }
  return (
    <details className={classes.contentsRead} open={state === 'scheduled' || isBeingWritten(campaign)}>
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
                  <Said content={content} connectionId={campaign.connections[0]?.id ?? ''} fileOf={fileOf} />
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
      {viewed && (
        <Suspense fallback={null}>
          <MediaViewer items={[viewed]} startId={viewed.id} onClose={() => setViewed(null)} />
        </Suspense>
      )}
    </details>
  )
}

type SaidProps = {
  content: CampaignContent
  /** Whose templates they are. */
  connectionId: string
  fileOf: (mediaId: string | null) => ReactNode
}
const Said = ({ content, connectionId, fileOf }: SaidProps) => {
  const { template, templateMediaId, subject, parts } = content
  const words = useTemplateWords(connectionId, template)
  return (
    <>
      {template && (
        <div className={classes.bubble}>
          {fileOf(templateMediaId)}
          {words}
        </div>
      )}
      {subject && <strong>{subject}</strong>}
      {parts.map(({ body, mediaId, interactive }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts in their order
        <div key={at} className={classes.bubble}>
          {fileOf(mediaId)}
          {[body, ...(interactive?.options.map(({ title }) => `▸ ${title}`) ?? [])].filter(Boolean).join('\n')}
        </div>
      ))}
    </>
  )
}

/** As its places were filled; of one that is gone, or no longer approved, its name and what went into them. */
const useTemplateWords = (connectionId: string, use: TemplateUse | null): string => {
  const mayRead = useCan('messages.write')
  const isAsked = mayRead && use !== null && connectionId !== ''
  const list = useQuery({ ...approvedTemplates(connectionId), enabled: isAsked })
  if (!use || (list.isFetching && !list.data)) return ''
  const { name, language, header, body, buttons } = use
  const shape = list.data?.find((one) => one.name === name && one.language === language)?.shape
  const filled = [`Modelo ${name} (${language})`, ...header, ...body, ...Object.values(buttons)].join('\n')
  return (shape && templateText(shape, use)) || filled
}

import { type RatingSettings, ratingSettings } from '@balcao/contract/service/ratings.ts'
import { Button, Textarea } from '@mantine/core'
import { IconList } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { MinutesSetting } from '../../../features/people/settings/minutes-setting.tsx'
import { SettingRow, SettingSection } from '../../../features/people/settings/setting-row.tsx'
import { useDraft } from '../../../features/people/settings/use-draft.ts'
import { ratingSettingsQuery, writeRatingSettings } from '../../../features/service/ratings/api.ts'
import { AskingChannels } from '../../../features/service/ratings/asking-channels.tsx'
import { RatingPreview } from '../../../features/service/ratings/rating-preview.tsx'
import { ScaleEditor } from '../../../features/service/ratings/scale-editor.tsx'
import { messageOf, reasonOf } from '../../../kit/api-error.ts'
import { resolverOf } from '../../../kit/form.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './configurar-screen.module.css'

export default function AvaliacoesConfigurarScreen() {
  const settings = useQuery(ratingSettingsQuery)
  return (
    <Page
      header={
        <PageHeader
          title="Configurar avaliações"
          purpose="A pergunta que o cliente recebe quando o atendimento termina. Cada mudança é salva na hora."
          actions={
            <Button
              component={Link}
              to="/avaliacoes/listar"
              variant="default"
              leftSection={<IconList size={18} aria-hidden />}
            >
              Ver avaliações
            </Button>
          }
        />
      }
    >
      {settings.data ? (
        <Editor saved={settings.data} />
      ) : settings.isError ? (
        <ErrorState message={messageOf(settings.error)} onRetry={() => void settings.refetch()} />
      ) : (
        <SkeletonList rows={6} height={76} />
      )}
    </Page>
  )
}

const problemsOf = resolverOf(ratingSettings)
const minutes = [
  { value: 1, label: '1 minuto' },
  { value: 10, label: '10 minutos' },
  { value: 60, label: '1 hora' },
  { value: 720, label: '12 horas' },
  { value: 1_440, label: '1 dia' },
  { value: 10_080, label: '7 dias' },
]

const Editor = ({ saved }: { saved: RatingSettings }) => {
  const cache = useQueryClient()
  const [refusal, setRefusal] = useState<string | null>(null)
  const [draft, setDraft] = useDraft(saved, {
    isReady: (value) => Object.keys(problemsOf(value)).length === 0,
    delayMs: 1_200,
    onSave: async (value) => {
      try {
        cache.setQueryData(ratingSettingsQuery.queryKey, await writeRatingSettings(value))
        notify.success('Avaliação salva.')
        setRefusal(null)
        return true
      } catch (error) {
        setRefusal(reasonOf(error))
        return false
      }
    },
  })
  const errors = Object.fromEntries(Object.entries(problemsOf(draft)).map(([path, text]) => [path, String(text)]))
  const set = (patch: Partial<RatingSettings>) => setDraft({ ...draft, ...patch })
  return (
    <div className={classes.columns}>
      <div className={classes.form}>
        {refusal && (
          <p className={classes.refusal} role="alert">
            {refusal}
          </p>
        )}
        <AskingChannels />
        <SettingSection title="Pergunta e escala">
          <div className={classes.field}>
            <Textarea
              label="Pergunta"
              description="Em canais com botões, as notas aparecem abaixo dela."
              autosize
              minRows={2}
              maxRows={6}
              maxLength={1_000}
              value={draft.question}
              onChange={(event) => set({ question: event.currentTarget.value })}
              error={errors.question}
            />
          </div>
          <ScaleEditor options={draft.options} errors={errors} onChange={(options) => set({ options })} />
        </SettingSection>
        <SettingSection title="Respostas">
          <div className={classes.field}>
            <Textarea
              label="Agradecimento"
              description="Depois de qualquer nota sem resposta própria. Vazio: o cliente não recebe nada."
              autosize
              minRows={2}
              maxRows={6}
              maxLength={500}
              value={draft.thanks}
              onChange={(event) => set({ thanks: event.currentTarget.value })}
              error={errors.thanks}
            />
          </div>
          <div className={classes.field}>
            <Textarea
              label="Quando a resposta não é uma nota"
              description="Enviada enquanto restarem tentativas."
              autosize
              minRows={2}
              maxRows={6}
              maxLength={500}
              value={draft.retry}
              onChange={(event) => set({ retry: event.currentTarget.value })}
              error={errors.retry}
            />
          </div>
        </SettingSection>
        <SettingSection title="Limites">
          <SettingRow
            id="rating-attempts"
            label="Tentativas"
            help="Depois da última resposta que não é nota, a mensagem do cliente abre um novo atendimento."
          >
            <NumberField
              id="rating-attempts"
              w={90}
              min={1}
              max={5}
              clampBehavior="strict"
              allowDecimal={false}
              value={draft.attempts}
              onChange={(attempts) => set({ attempts })}
            />
          </SettingRow>
          <MinutesSetting
            id="rating-expiry"
            label="Prazo para responder"
            help="Depois dele a pergunta fica sem resposta. Uma nota atrasada, só o número, ainda vale por 7 dias e não abre atendimento."
            presets={minutes}
            min={1}
            max={10_080}
            value={draft.expiresIn}
            onChange={(expiresIn) => set({ expiresIn })}
          />
        </SettingSection>
      </div>
      <div className={classes.side}>
        <RatingPreview settings={draft} />
      </div>
    </div>
  )
}

import type { Connection } from '@balcao/contract/channels/connections.ts'
import { blankPart, type PartKind, partKinds, type ShownPart } from '@balcao/contract/conversations/parts.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import type { Campaign } from '@balcao/contract/operations/campaigns/campaigns.ts'
import {
  type CampaignContent,
  type CampaignStep,
  type CampaignVariant,
  campaignContent,
  campaignStep,
  campaignVariant,
  mostSteps,
  mostVariants,
  spin,
  variantNames,
  waysToSpin,
} from '@balcao/contract/operations/campaigns/content.ts'
import { fillVariables } from '@balcao/contract/variables.ts'
import { ActionIcon, Alert, Button, Group, Select, Switch, Tabs, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { formatNumber } from '../../../kit/format.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { useSampleContext } from '../../contacts/variables/sample.ts'
import { SmsCount } from '../../conversations/messages/sms-count.tsx'
import { PartsField } from '../../conversations/parts/parts-field.tsx'
import classes from './campaigns.module.css'
import { saysWords } from './complete-patch.ts'
import { TemplateContent } from './template-content.tsx'
import { textOf } from './texts.ts'

type Props = {
  campaign: Campaign
  connections: readonly Connection[]
  onChange: (patch: Pick<Campaign, 'steps'> & Partial<Pick<Campaign, 'files'>>) => void
  errorOf: (path: string) => ReactNode
  /** Of a mass screen: one message, without what follows. */
  isPlain?: boolean
  /** A template alone, whatever the channels. */
  onlyTemplate?: boolean
}

export const blankStep = (isTemplate = false): CampaignStep =>
  campaignStep.parse({
    variants: [
      campaignVariant.parse({
        content: campaignContent.parse({ parts: isTemplate ? [] : [blankPart('text')] }),
      }),
    ],
  })

/** What has just been added is written next. */
const focusWords = (inside: RefObject<Element | null>) =>
  requestAnimationFrame(() => inside.current?.querySelector('textarea')?.focus())

/** What is said: the first send, its variants, and what follows whom it did not reach. */
export const ContentFields = ({ campaign, connections, onChange, errorOf, isPlain, onlyTemplate }: Props) => {
  const steps = campaign.steps.length ? campaign.steps : [blankStep(onlyTemplate)]
  const added = useRef<HTMLDivElement>(null)
  const set = (next: CampaignStep[], media?: Media | null) =>
    onChange({
      steps: next,
      ...(media && { files: [...campaign.files.filter(({ id }) => id !== media.id), media] }),
    })
  return (
    <>
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a send has no name but its place
        <div key={at} ref={at === steps.length - 1 ? added : undefined} className={classes.step}>
          {at > 0 && <IconArrowDown size={18} className={classes.follows} aria-hidden />}
          <StepFields
            step={step}
            at={at}
            campaign={campaign}
            connections={connections}
            errorOf={(path) => errorOf(`steps.${at}.${path}`)}
            onChange={(next, media) => set(steps.with(at, next), media)}
            onRemove={at > 0 ? () => set(steps.toSpliced(at, 1)) : undefined}
            isPlain={isPlain}
            onlyTemplate={onlyTemplate}
          />
        </div>
      ))}
      {!isPlain && steps.length < mostSteps && (
        <Button
          variant="default"
          size="sm"
          className={classes.add}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => {
            set([...steps, { ...blankStep(), afterHours: 48 }])
            focusWords(added)
          }}
        >
          Enviar outra a quem não responder
        </Button>
      )}
    </>
  )
}

type StepProps = Omit<Props, 'onChange'> & {
  step: CampaignStep
  at: number
  onChange: (step: CampaignStep, media?: Media | null) => void
  onRemove?: () => void
}
const StepFields = ({
  step,
  at,
  onChange,
  onRemove,
  errorOf,
  campaign,
  connections,
  isPlain,
  onlyTemplate,
}: StepProps) => {
  const { variants, test } = step
  const [tab, setTab] = useState('0')
  const shown = Math.min(Number(tab), variants.length - 1)
  const current = variants[shown]
  const body = useRef<HTMLElement>(null)
  const setVariant = (variant: CampaignVariant, media?: Media | null) =>
    onChange({ ...step, variants: variants.with(shown, variant) }, media)
  return (
    <section ref={body} aria-label={at === 0 ? 'Primeiro envio' : `Envio ${at + 1}`} className={classes.stepBody}>
      {at > 0 && (
        <div className={classes.stepHead}>
          <span className={classes.sentence}>
            Depois de
            <NumberField
              aria-label={`Dias até o envio ${at + 1}`}
              size="xs"
              w={70}
              min={1}
              max={60}
              allowDecimal={false}
              value={Math.round(step.afterHours / 24)}
              onChange={(days) => onChange({ ...step, afterHours: days * 24 })}
            />
            {step.afterHours === 24 ? 'dia' : 'dias'}
            <Select
              aria-label={`A quem vai o envio ${at + 1}`}
              size="xs"
              w={210}
              allowDeselect={false}
              data={[
                { value: 'answered', label: 'a quem não respondeu' },
                { value: 'read', label: 'a quem não leu' },
                { value: 'never', label: 'a todos' },
              ]}
              value={step.unless}
              onChange={(unless) => unless && onChange({ ...step, unless: unless as CampaignStep['unless'] })}
            />
          </span>
          {onRemove && (
            <ActionIcon aria-label={`Remover o envio ${at + 1}`} onClick={onRemove}>
              <IconTrash size={18} stroke={1.75} />
            </ActionIcon>
          )}
        </div>
      )}
      {at > 0 && <FieldError>{errorOf('afterHours') ?? errorOf('unless')}</FieldError>}
      {variants.length > 1 && (
        <Tabs value={String(shown)} onChange={(value) => setTab(value ?? '0')} variant="outline">
          <Tabs.List aria-label="Variantes">
            {variants.map((variant, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a variant is known by its place
              <Tabs.Tab key={index} value={String(index)}>
                {variantNames[index]} · {shareOf(variant, variants)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
      {current && (
        <VariantFields
          key={shown}
          content={current.content}
          files={campaign.files}
          connections={connections}
          onlyTemplate={onlyTemplate}
          errorOf={(path) => errorOf(`variants.${shown}.content.${path}`)}
          onChange={(content, media) => setVariant({ ...current, content }, media)}
        />
      )}
      {!isPlain && (
        <Group gap="sm" align="end">
          {variants.length > 1 && current && (
            <>
              <NumberField
                label={`Peso da variante ${variantNames[shown]}`}
                size="xs"
                w={160}
                min={1}
                max={100}
                allowDecimal={false}
                value={current.weight}
                onChange={(weight) => setVariant({ ...current, weight })}
                error={errorOf(`variants.${shown}.weight`)}
              />
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={() =>
                  onChange({
                    ...step,
                    variants: variants.toSpliced(shown, 1),
                    test: variants.length > 2 ? test : null,
                  })
                }
              >
                Remover a {variantNames[shown]}
              </Button>
            </>
          )}
          {variants.length < mostVariants && current && (
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => {
                onChange({ ...step, variants: [...variants, structuredClone(current)] })
                setTab(String(variants.length))
                focusWords(body)
              }}
            >
              Criar variante {variantNames[variants.length]}
            </Button>
          )}
        </Group>
      )}
      {variants.length > 1 && <TestFields step={step} onChange={onChange} errorOf={errorOf} />}
    </section>
  )
}

const shareOf = ({ weight }: CampaignVariant, all: readonly CampaignVariant[]) =>
  `${Math.round((weight / all.reduce((sum, one) => sum + one.weight, 0)) * 100)}%`

/** Try the variants on a part, then go on with the best. */
const TestFields = ({ step, onChange, errorOf }: Pick<StepProps, 'step' | 'onChange' | 'errorOf'>) => {
  const { test } = step
  const set = (patch: Partial<NonNullable<CampaignStep['test']>>) =>
    onChange({ ...step, test: { percent: 20, hours: 4, by: 'answered', ...test, ...patch } })
  return (
    <div className={classes.test}>
      <Switch
        label="Testar antes e seguir com a melhor"
        checked={test !== null}
        onChange={(event) => (event.currentTarget.checked ? set({}) : onChange({ ...step, test: null }))}
      />
      {test && (
        <span className={classes.sentence}>
          Testar em
          <NumberField
            aria-label="Parte do público no teste"
            size="xs"
            w={80}
            suffix="%"
            min={2}
            max={90}
            allowDecimal={false}
            value={test.percent}
            onChange={(percent) => set({ percent })}
          />
          do público e, depois de
          <NumberField
            aria-label="Horas de teste"
            size="xs"
            w={70}
            min={1}
            max={168}
            allowDecimal={false}
            value={test.hours}
            onChange={(hours) => set({ hours })}
          />
          {test.hours === 1 ? 'hora' : 'horas'}, seguir com a
          <Select
            aria-label="O que decide o teste"
            size="xs"
            w={180}
            allowDeselect={false}
            data={[
              { value: 'answered', label: 'mais respondida' },
              { value: 'read', label: 'mais lida' },
            ]}
            value={test.by}
            onChange={(by) => by && set({ by: by as 'answered' | 'read' })}
          />
        </span>
      )}
      {test && <FieldError>{errorOf('test.percent') ?? errorOf('test.hours') ?? errorOf('test')}</FieldError>}
    </div>
  )
}

/** Of fields that stand in a sentence, under it. */
const FieldError = ({ children }: { children: ReactNode }) =>
  children && (
    <Text size="sm" c="red" role="alert">
      {children}
    </Text>
  )

type VariantProps = {
  content: CampaignContent
  files: readonly Media[]
  connections: readonly Connection[]
  onlyTemplate?: boolean
  errorOf: (path: string) => ReactNode
  onChange: (content: CampaignContent, media?: Media | null) => void
}
const VariantFields = ({ content, files, connections, onlyTemplate, errorOf, onChange }: VariantProps) => {
  const official = connections.find(({ abilities }) => abilities.supports.includes('template'))
  const mail = connections.some(({ abilities }) => abilities.supports.includes('mail'))
  const sms = connections.find(({ abilities }) => abilities.sms !== null)?.abilities.sms
  // Where every channel wants a template, free words would reach only whoever wrote within a day.
  // Words that were written already are seen, as they would go to those.
  const takesWords =
    !onlyTemplate &&
    (connections.length === 0 ||
      connections.some(({ abilities }) => abilities.windowHours === null) ||
      saysWords(content))
  const isOnlySms = sms && connections.every(({ abilities }) => abilities.sms !== null)
  const kinds: readonly PartKind[] = isOnlySms ? ['text'] : partKinds
  const parts = content.parts.map(
    (part): ShownPart => ({ ...part, media: files.find(({ id }) => id === part.mediaId) ?? null }),
  )
  const text = textOf(content)
  const sample = useSampleContext()
  const ways = waysToSpin(text)
  return (
    <>
      {(official || onlyTemplate) && (
        <TemplateContent
          connection={official}
          content={content}
          media={files.find(({ id }) => id === content.templateMediaId) ?? null}
          onChange={onChange}
          errorOf={errorOf}
        />
      )}
      {mail && (
        <TextInput
          label="Assunto do e-mail"
          maxLength={200}
          value={content.subject}
          onChange={(event) => onChange({ ...content, subject: event.currentTarget.value })}
          error={errorOf('subject')}
        />
      )}
      {takesWords && (
        <PartsField
          parts={parts.length ? parts : [{ ...blankPart('text'), media: null }]}
          most={5}
          offered={kinds}
          name="parts"
          errorOf={errorOf}
          onChange={(next) =>
            onChange(
              { ...content, parts: next.map(({ media: _, ...part }) => part) },
              next.find(({ media }) => media && !files.some(({ id }) => id === media.id))?.media,
            )
          }
        />
      )}
      {takesWords && (
        <Text size="sm" c="dimmed">
          {ways > 1
            ? `Cada pessoa recebe um de ${formatNumber(ways)} textos.`
            : 'Varie o texto com {Olá|Oi|Bom dia}: cada pessoa recebe uma das formas.'}
        </Text>
      )}
      {sms && text.trim() && (
        <SmsCount
          text={fillVariables(
            spin(text, () => 0),
            sample,
          )}
          ways={sms}
        />
      )}
      {official && takesWords && (
        <Alert variant="light" color="blue">
          {connections.length > 1
            ? 'Nos canais oficiais vai o modelo; nos outros, e a quem escreveu nas últimas 24 horas, a mensagem acima.'
            : 'Quem escreveu nas últimas 24 horas recebe a mensagem acima; os outros, o modelo.'}
        </Alert>
      )}
    </>
  )
}

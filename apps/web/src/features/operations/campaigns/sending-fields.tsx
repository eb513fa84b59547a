import type { Connection } from '@balcao/contract/channels/connections.ts'
import { channels } from '@balcao/contract/channels/index.ts'
import { weekdayLabels } from '@balcao/contract/core/business-hours.ts'
import { momentAt, wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import type { Campaign, CampaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { Chip, Group, Input, MultiSelect, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCurrentSession } from '../../../kit/session.ts'
import { MomentField } from '../../../ui/date-field.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import classes from './campaigns.module.css'

type Props = {
  campaign: Campaign
  /** Those that may send to many, once they are known. */
  able: readonly Connection[] | undefined
  onChange: (patch: CampaignPatch) => void
  errorOf: (path: string) => ReactNode
  isPlain?: boolean
}

/** By which channels, how fast, and when. */
export const SendingFields = ({ campaign, able, onChange, errorOf, isPlain }: Props) => {
  const { connectionIds, spread } = campaign
  const gone = connectionIds.filter((id) => !able?.some((one) => one.id === id))
  return (
    <>
      <MultiSelect
        label="Canais"
        description="De vários, cada pessoa recebe por um só."
        placeholder={
          connectionIds.length ? undefined : able?.length === 0 ? 'Nenhum canal envia em massa' : 'Escolha os canais'
        }
        searchable
        clearable
        hidePickedOptions
        nothingFoundMessage="Nada encontrado"
        data={[
          ...(able ?? []).map(({ id, name, kind }) => ({ value: id, label: `${name} (${channels[kind].label})` })),
          ...gone.map((id) => ({ value: id, label: able ? 'Canal excluído' : 'Lendo…' })),
        ]}
        value={connectionIds}
        onChange={(ids) => onChange({ connectionIds: ids })}
        error={errorOf('connectionIds')}
      />
      {connectionIds.length > 1 && (
        <Select
          label="Quem recebe por qual"
          allowDeselect={false}
          data={[
            { value: 'last', label: 'Pelo canal em que conversou por último; os outros, divididos' },
            { value: 'even', label: 'Divididos por igual' },
          ]}
          value={spread}
          onChange={(next) => next && onChange({ spread: next as Campaign['spread'] })}
        />
      )}
      <PaceFields campaign={campaign} onChange={onChange} errorOf={errorOf} isPlain={isPlain} />
    </>
  )
}

type PaceProps = Omit<Props, 'able'> & { hasBegun?: boolean }
/** How fast and when, which may change until the end. */
export const PaceFields = ({ campaign, onChange, errorOf, isPlain, hasBegun }: PaceProps) => {
  const { pace, window } = campaign
  const { timezone } = useCurrentSession().user.tenant
  const setWindow = (patch: Partial<Campaign['window']>) => onChange({ window: { ...window, ...patch } })
  const setPace = (patch: Partial<Campaign['pace']>) => onChange({ pace: { ...pace, ...patch } })
  return (
    <>
      <Input.Wrapper
        label="Intervalo entre mensagens de um canal"
        description="Um tempo qualquer entre os dois, diferente a cada mensagem. 0 e 0: tão rápido quanto o canal permite."
        labelElement="div"
        error={errorOf('pace.maxSeconds') ?? errorOf('pace.minSeconds')}
      >
        <span className={classes.sentence}>
          De
          <NumberField
            aria-label="Menor intervalo em segundos"
            size="sm"
            decimalSeparator=","
            allowedDecimalSeparators={[',', '.']}
            w={100}
            min={0}
            max={3_600}
            suffix=" s"
            value={pace.minSeconds}
            onChange={(minSeconds) => setPace({ minSeconds, maxSeconds: Math.max(pace.maxSeconds, minSeconds) })}
          />
          a
          <NumberField
            aria-label="Maior intervalo em segundos"
            size="sm"
            decimalSeparator=","
            allowedDecimalSeparators={[',', '.']}
            w={100}
            min={0}
            max={3_600}
            suffix=" s"
            value={pace.maxSeconds}
            onChange={(maxSeconds) => setPace({ maxSeconds })}
          />
        </span>
      </Input.Wrapper>
      <div className={classes.grid}>
        <NumberInput
          label="Máximo por dia em cada canal"
          description="Vazio: o que o canal permite."
          min={1}
          max={1_000_000}
          allowDecimal={false}
          thousandSeparator="."
          decimalSeparator=","
          value={pace.dailyMost ?? ''}
          onChange={(value) => setPace({ dailyMost: Number(value) || null })}
        />
        {!isPlain && (
          <>
            {!hasBegun && (
              <MomentField
                label="Começar em"
                description="Vazio: assim que alguém iniciar."
                value={localOf(campaign.startsAt, timezone)}
                onChange={(wall) => onChange({ startsAt: momentOf(wall, timezone) })}
                error={errorOf('startsAt')}
              />
            )}
            <MomentField
              label="Parar em"
              description="Quem ainda não recebeu fica sem. Vazio: só quando terminar."
              value={localOf(campaign.endsAt, timezone)}
              onChange={(wall) => onChange({ endsAt: momentOf(wall, timezone) })}
              error={errorOf('endsAt')}
            />
          </>
        )}
      </div>
      <Input.Wrapper
        label="Dias e horas de envio"
        labelElement="div"
        error={errorOf('window.days') ?? errorOf('window.from')}
      >
        <Group gap={6} className={classes.days}>
          {weekdayLabels.map((label, day) => (
            <Chip
              key={label}
              size="xs"
              checked={window.days.includes(day)}
              onChange={(checked) =>
                setWindow({
                  days: (checked ? [...window.days, day] : window.days.filter((one) => one !== day)).toSorted(),
                })
              }
            >
              {label.slice(0, 3)}
            </Chip>
          ))}
        </Group>
        <span className={classes.sentence}>
          das
          <TextInput
            aria-label="Enviar a partir das"
            type="time"
            size="sm"
            w={128}
            required
            value={window.from}
            onChange={(event) => event.currentTarget.value && setWindow({ from: event.currentTarget.value })}
          />
          às
          <TextInput
            aria-label="Enviar até as"
            type="time"
            size="sm"
            w={128}
            required
            value={window.until}
            onChange={(event) => event.currentTarget.value && setWindow({ until: event.currentTarget.value })}
          />
        </span>
      </Input.Wrapper>
      <div className={classes.grid}>
        <Switch
          label="Pular feriados"
          checked={window.skipHolidays}
          onChange={(event) => setWindow({ skipHolidays: event.currentTarget.checked })}
        />
        <Switch
          label="Pela hora do estado de quem recebe"
          description="O estado é o do DDD. Desligado, vale a hora da empresa."
          checked={window.byRecipientState}
          onChange={(event) => setWindow({ byRecipientState: event.currentTarget.checked })}
        />
      </div>
    </>
  )
}

const localOf = (moment: string | null, timeZone: string) =>
  moment ? wallTimeOf(new Date(moment), timeZone).slice(0, 16) : ''
const momentOf = (local: string, timeZone: string) => (local ? momentAt(local, timeZone) : null)

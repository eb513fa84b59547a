import { purposeLabels } from '@balcao/contract/contacts/consent.ts'
import type { Campaign, CampaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { MultiSelect, Select, Switch, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { NumberField } from '../../../ui/number-field.tsx'
import { flowList } from '../../automation/flows/api.ts'
import { queueOptions, tagOptions } from '../../core/pickers/options.ts'
import { userOptions } from '../../people/users/api.ts'
import classes from './campaigns.module.css'

type Props = { campaign: Campaign; onChange: (patch: CampaignPatch) => void; errorOf: (path: string) => ReactNode }
const named = (rows: readonly { id: string; name: string }[] | undefined) =>
  (rows ?? []).map(({ id, name }) => ({ value: id, label: name }))

/** Where an answer goes. */
export const AnswerFields = ({ campaign: { answer }, onChange, errorOf }: Props) => {
  const queues = useQuery(queueOptions).data
  const people = useQuery(userOptions).data
  const tags = useQuery(tagOptions).data
  const flows = useQuery(flowList).data
  const set = (patch: Partial<Campaign['answer']>) => onChange({ answer: { ...answer, ...patch } })
  const pick = { searchable: true, clearable: true, nothingFoundMessage: 'Nada encontrado' } as const
  return (
    <div className={classes.grid}>
      <Select
        {...pick}
        label="Fila"
        placeholder="A do canal"
        data={named(queues)}
        value={answer.queueId}
        onChange={(queueId) => set({ queueId })}
        error={errorOf('answer.queueId')}
      />
      <Select
        {...pick}
        label="Atendente"
        placeholder="Ninguém em especial"
        data={named(people)}
        value={answer.userId}
        onChange={(userId) => set({ userId })}
        error={errorOf('answer.userId')}
      />
      <Select
        {...pick}
        label="Fluxo que responde"
        placeholder="O do canal, se houver"
        data={named(flows)}
        value={answer.chatFlowId}
        onChange={(chatFlowId) => set({ chatFlowId })}
        error={errorOf('answer.chatFlowId')}
      />
      <MultiSelect
        {...pick}
        label="Etiquetas"
        placeholder={answer.tagIds.length ? undefined : 'Nenhuma'}
        hidePickedOptions
        data={named(tags)}
        value={answer.tagIds}
        onChange={(tagIds) => set({ tagIds })}
      />
      <NumberField
        label="Vale como resposta por (dias)"
        description="O que a pessoa escreve depois disso é uma conversa comum."
        min={1}
        max={30}
        allowDecimal={false}
        value={answer.days}
        onChange={(days) => set({ days })}
      />
    </div>
  )
}

/** What keeps a number from being banned, and people from being annoyed. */
export const SafetyFields = ({ campaign, onChange, errorOf }: Props) => {
  const { canary } = campaign
  return (
    <>
      <Select
        label="Finalidade"
        description="Quem pediu para não receber campanhas só fica de fora das de promoção."
        allowDeselect={false}
        data={Object.entries(purposeLabels).map(([value, label]) => ({ value, label }))}
        value={campaign.purpose}
        onChange={(purpose) => purpose && onChange({ purpose: purpose as Campaign['purpose'] })}
      />
      <Switch
        label="Começar com poucos"
        description="Se algo estiver errado, só estes recebem."
        checked={canary !== null}
        onChange={(event) => onChange({ canary: event.currentTarget.checked ? { size: 50, minutes: 60 } : null })}
      />
      {canary && (
        <div className={classes.grid}>
          <NumberField
            label="Primeiros"
            min={1}
            max={10_000}
            allowDecimal={false}
            value={canary.size}
            onChange={(size) => onChange({ canary: { ...canary, size } })}
            error={errorOf('canary.size')}
          />
          <Select
            label="Depois deles"
            allowDeselect={false}
            data={[
              { value: '15', label: 'Seguir sozinha em 15 minutos' },
              { value: '60', label: 'Seguir sozinha em 1 hora' },
              { value: '240', label: 'Seguir sozinha em 4 horas' },
              { value: 'null', label: 'Esperar alguém mandar seguir' },
            ]}
            value={String(canary.minutes)}
            onChange={(minutes) =>
              onChange({ canary: { ...canary, minutes: minutes === 'null' ? null : Number(minutes) } })
            }
          />
        </div>
      )}
      <BrakeFields campaign={campaign} onChange={onChange} errorOf={errorOf} />
    </>
  )
}

/** What it stops by itself for. */
export const BrakeFields = ({ campaign: { brake }, onChange, errorOf }: Props) => {
  const setBrake = (patch: Partial<Campaign['brake']>) => onChange({ brake: { ...brake, ...patch } })
  const percent = { min: 1, max: 100, suffix: '%', allowDecimal: false } as const
  return (
    <fieldset className={classes.fieldset}>
      <legend>Parar sozinha quando, na última hora</legend>
      <div className={classes.grid}>
        <NumberField
          {...percent}
          label="Falharem"
          value={brake.failedPercent}
          onChange={(failedPercent) => setBrake({ failedPercent })}
        />
        <NumberField
          {...percent}
          label="Pedirem para sair"
          value={brake.optedOutPercent}
          onChange={(optedOutPercent) => setBrake({ optedOutPercent })}
        />
        <NumberField
          {...percent}
          label="Reclamarem"
          value={brake.complaintPercent}
          onChange={(complaintPercent) => setBrake({ complaintPercent })}
        />
        <NumberField
          label="A partir de quantos envios"
          min={5}
          max={10_000}
          allowDecimal={false}
          value={brake.atLeast}
          onChange={(atLeast) => setBrake({ atLeast })}
        />
      </div>
      <TagsInput
        label="Palavras de reclamação"
        description="Uma resposta com uma delas conta como reclamação."
        value={brake.words}
        onChange={(words) => setBrake({ words })}
        error={errorOf('brake.words')}
      />
    </fieldset>
  )
}

import type { FlowProblem } from '@balcao/contract/automation/flows/flows.ts'
import { type FlowSettings, flowDistributions } from '@balcao/contract/automation/flows/graph.ts'
import { ActionIcon, Divider, Input, Select, TagsInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useBuilder, useDesk } from '../../../features/automation/flows/builder-context.ts'
import { VariableTextarea } from '../../../features/contacts/variables/variable-textarea.tsx'
import { MinutesInput } from '../../../features/people/settings/minutes-input.tsx'
import { KeywordsField } from '../../../features/service/auto-replies/keywords-field.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import { DestinationField } from './destination-field.tsx'
import classes from './step-panel.module.css'

const distributionLabels: Record<(typeof flowDistributions)[number], string> = {
  N: 'Ninguém: quem quiser aceita',
  R: 'Em rodízio, uma pessoa por vez',
  B: 'Quem tem menos conversas',
}

/** What holds for the whole flow: how it starts, what happens in silence and confusion, which words lead out of it. */
export const SettingsPanel = ({ problems, onClose }: { problems: readonly FlowProblem[]; onClose: () => void }) => {
  const { desk, readOnly } = useBuilder()
  const settings = useDesk(desk, (state) => state.settings)
  const set = (next: Partial<FlowSettings>) =>
    desk.change({ upserts: [], removes: [], settings: { ...desk.get().settings, ...next } }, 'settings')
  const errorOf = (path: string) => problems.find((one) => one.path === path)?.message
  const { notUnderstood, retries, silence, outOfHours } = settings
  const words = (
    name: 'closeWords' | 'backWords' | 'menuWords' | 'personWords',
    label: string,
    description: string,
  ) => (
    <TagsInput
      label={label}
      description={description}
      placeholder={settings[name].length ? undefined : 'Escreva e aperte Enter'}
      maxTags={20}
      acceptValueOnBlur
      value={settings[name]}
      error={errorOf(name)}
      onChange={(next) => set({ [name]: next.map((word) => word.slice(0, 60)) })}
    />
  )
  return (
    <aside className={classes.panel} aria-label="Configurações do fluxo">
      <header className={classes.head}>
        <h2 className={classes.title}>Configurações do fluxo</h2>
        <ActionIcon size={32} aria-label="Fechar painel" onClick={onClose}>
          <IconX size={17} stroke={1.75} />
        </ActionIcon>
      </header>
      <fieldset className={classes.fields} disabled={readOnly} tabIndex={readOnly ? 0 : undefined} data-fields>
        <Divider label="Como começa" labelPosition="left" />
        <KeywordsField
          words={settings.keywords}
          onChange={(keywords) => set({ keywords })}
          errorOf={(path) => errorOf(path)}
        />
        <Select
          label="Fora do horário"
          data={[
            { value: 'absence', label: 'Mensagem de ausência, sem fluxo' },
            { value: 'continue', label: 'O fluxo atende assim mesmo' },
            { value: 'destination', label: 'Direto para um destino' },
          ]}
          allowDeselect={false}
          value={outOfHours.does}
          onChange={(does) => set({ outOfHours: { ...outOfHours, does: does as typeof outOfHours.does } })} // one of those offered
        />
        {outOfHours.does === 'destination' && (
          <DestinationField
            label="Destino fora do horário"
            otherwise="A fila em que a conversa está"
            value={outOfHours.to}
            error={errorOf('outOfHours.to')}
            onChange={(to) => set({ outOfHours: { ...outOfHours, to } })}
          />
        )}
        <DestinationField
          label="Quem escreve pela primeira vez"
          otherwise="Começa do início, como todos"
          value={settings.firstContact}
          error={errorOf('firstContact')}
          onChange={(firstContact) => set({ firstContact })}
        />

        <Divider label="Quando o cliente não responde" labelPosition="left" mt="xs" />
        <Input.Wrapper
          label="Esperar no máximo"
          labelElement="div"
          description="Vazio: espera para sempre. O aviso sai na metade do tempo."
        >
          <MinutesInput
            label="Esperar no máximo"
            value={silence.minutes || null}
            onChange={(minutes) => set({ silence: { ...silence, minutes: Math.min(minutes ?? 0, 43_200) } })}
          />
        </Input.Wrapper>
        <VariableTextarea
          label="Aviso"
          minRows={2}
          maxLength={1_000}
          value={silence.warning}
          error={errorOf('silence.warning')}
          onChange={(warning) => set({ silence: { ...silence, warning } })}
        />
        <VariableTextarea
          label="O que dizer no fim da espera"
          minRows={2}
          maxLength={1_000}
          value={silence.message}
          error={errorOf('silence.message')}
          onChange={(message) => set({ silence: { ...silence, message } })}
        />
        <DestinationField
          label="E depois"
          otherwise="Passar para a equipe, na fila em que está"
          value={silence.to}
          error={errorOf('silence.to')}
          onChange={(to) => set({ silence: { ...silence, to } })}
        />

        <Divider label="Quando a resposta não é entendida" labelPosition="left" mt="xs" />
        <VariableTextarea
          label="O que dizer"
          minRows={2}
          maxLength={1_000}
          value={notUnderstood.message}
          error={errorOf('notUnderstood.message')}
          onChange={(message) => set({ notUnderstood: { ...notUnderstood, message } })}
        />
        <Select
          label="E perguntar de novo"
          data={[
            { value: 'current', label: 'A mesma pergunta' },
            { value: 'start', label: 'Desde o início' },
          ]}
          allowDeselect={false}
          value={notUnderstood.returnTo}
          onChange={(to) => set({ notUnderstood: { ...notUnderstood, returnTo: to as typeof notUnderstood.returnTo } })} // one of those offered
        />
        <NumberField
          label="Tentativas"
          min={1}
          max={20}
          allowDecimal={false}
          clampBehavior="strict"
          value={retries.most}
          onChange={(most) => set({ retries: { ...retries, most } })}
        />
        <DestinationField
          label="Depois da última"
          otherwise="Passar para a equipe, na fila em que está"
          value={retries.to}
          error={errorOf('retries.to')}
          onChange={(to) => set({ retries: { ...retries, to } })}
        />

        <Divider label="Palavras que valem em toda pergunta" labelPosition="left" mt="xs" />
        {words('backWords', 'Voltar', 'Volta à pergunta anterior.')}
        {words('menuWords', 'Menu', 'Volta ao começo.')}
        {words('personWords', 'Falar com alguém', 'Passa para a equipe.')}
        <DestinationField
          label="Para onde vai quem pede alguém"
          otherwise="A fila em que a conversa está"
          value={settings.person}
          error={errorOf('person')}
          onChange={(person) => set({ person })}
        />
        {words('closeWords', 'Encerrar', 'Encerra o atendimento.')}

        <Divider label="Quando termina" labelPosition="left" mt="xs" />
        <VariableTextarea
          label="Ao passar para a equipe"
          minRows={2}
          maxLength={1_000}
          value={settings.welcomeMessage}
          error={errorOf('welcomeMessage')}
          onChange={(welcomeMessage) => set({ welcomeMessage })}
        />
        <VariableTextarea
          label="Ao encerrar"
          minRows={2}
          maxLength={1_000}
          value={settings.farewellMessage}
          error={errorOf('farewellMessage')}
          onChange={(farewellMessage) => set({ farewellMessage })}
        />
        <Select
          label="Quem recebe a conversa"
          data={flowDistributions.map((value) => ({ value, label: distributionLabels[value] }))}
          allowDeselect={false}
          value={settings.distribution}
          onChange={(value) => set({ distribution: value as FlowSettings['distribution'] })} // one of those offered
        />
      </fieldset>
    </aside>
  )
}

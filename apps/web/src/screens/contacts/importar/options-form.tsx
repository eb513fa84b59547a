import { type ChannelKind, channelKinds, channels } from '@balcao/contract/channels/index.ts'
import { purposeLabels } from '@balcao/contract/contacts/consent.ts'
import type { ContactImportOptions } from '@balcao/contract/contacts/imports.ts'
import { type Lane, laneResource } from '@balcao/contract/contacts/lanes.ts'
import { type Tag, tagResource } from '@balcao/contract/contacts/tags.ts'
import { Checkbox, MultiSelect, NativeSelect, Radio, Stack, Textarea, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { userOptions } from '../../../features/people/users/api.ts'
import { allRows } from '../../../kit/resource-api.ts'
import classes from './importar.module.css'

type Props = { options: ContactImportOptions; onChange: (options: ContactImportOptions) => void }
const purposes = ['marketing', 'research'] as const
const noConsent = {
  isGiven: true,
  channels: channelKinds.filter((kind) => kind !== 'webchat'),
  purposes: [...purposes],
  proof: '',
}

/** How those who are contacts already are met, and what everybody in the file gets. */
export const OptionsForm = ({ options, onChange }: Props) => {
  const tags = useQuery(allRows<Tag>(tagResource))
  const lanes = useQuery(allRows<Lane>(laneResource))
  const people = useQuery(userOptions)
  const set = (change: Partial<ContactImportOptions>) => onChange({ ...options, ...change })
  const { consent } = options
  const named = (rows: readonly { id: string; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <section className={classes.block} aria-label="Opções">
      <Title order={3} size="h4">
        Quem já é contato
      </Title>
      <Radio.Group
        aria-label="Quem já é contato"
        value={options.existing}
        onChange={(value) => set({ existing: value as ContactImportOptions['existing'] })} // of the three below
      >
        <Stack gap="xs">
          <Radio value="fill" label="Completar só o que está vazio" />
          <Radio value="update" label="Atualizar com o que está no arquivo" />
          <Radio value="skip" label="Pular: não mexer" />
        </Stack>
      </Radio.Group>
      {options.existing === 'update' && (
        <Checkbox
          label="Manter os nomes que a equipe digitou"
          checked={options.keepTypedNames}
          onChange={(event) => set({ keepTypedNames: event.currentTarget.checked })}
        />
      )}
      <Title order={3} size="h4">
        Para todos os contatos do arquivo
      </Title>
      <div className={classes.how}>
        <MultiSelect
          label="Etiquetas"
          data={named(tags.data?.filter(({ isActive }) => isActive))}
          searchable
          hidePickedOptions
          value={options.tagIds}
          onChange={(tagIds) => set({ tagIds })}
        />
        <MultiSelect
          label="Carteira"
          data={named(people.data)}
          searchable
          hidePickedOptions
          value={options.walletIds}
          onChange={(walletIds) => set({ walletIds })}
        />
        <NativeSelect
          label="Etapa do quadro"
          data={[{ value: '', label: 'Nenhuma' }, ...named(lanes.data?.filter(({ isActive }) => isActive))]}
          value={options.kanban ?? ''}
          onChange={(event) => set({ kanban: event.currentTarget.value || null })}
        />
        <NativeSelect
          label="Linhas com um campo inválido"
          data={[
            { value: 'leaveOut', label: 'Importar sem esse campo' },
            { value: 'refuse', label: 'Não importar a linha' },
          ]}
          value={options.broken}
          onChange={(event) => set({ broken: event.currentTarget.value as ContactImportOptions['broken'] })} // of the two above
        />
      </div>
      <Checkbox
        label="Criar as etiquetas do arquivo que ainda não existem"
        checked={options.createTags}
        onChange={(event) => set({ createTags: event.currentTarget.checked })}
      />
      <Checkbox
        label="Registrar o que estes contatos aceitam receber"
        checked={consent !== null}
        onChange={(event) => set({ consent: event.currentTarget.checked ? noConsent : null })}
      />
      {consent && (
        <Stack gap="sm" pl="xl">
          <Radio.Group
            aria-label="O que disseram"
            value={consent.isGiven ? 'yes' : 'no'}
            onChange={(value) => set({ consent: { ...consent, isGiven: value === 'yes' } })}
          >
            <Stack gap="xs">
              <Radio value="yes" label="Aceitam receber. Quem já pediu para sair continua fora." />
              <Radio value="no" label="Não querem receber" />
            </Stack>
          </Radio.Group>
          <MultiSelect
            label="O quê"
            data={purposes.map((value) => ({ value, label: purposeLabels[value] }))}
            value={consent.purposes}
            onChange={(value) =>
              set({ consent: { ...consent, purposes: purposes.filter((one) => value.includes(one)) } })
            }
          />
          <MultiSelect
            label="Por quais canais"
            data={channelKinds.map((value) => ({ value, label: channels[value].label }))}
            value={consent.channels}
            onChange={(value) => set({ consent: { ...consent, channels: value as ChannelKind[] } })} // of the kinds above
          />
          <Textarea
            label={consent.isGiven ? 'Como eles concordaram' : 'Como eles pediram'}
            description="Fica guardado como prova, com o nome do arquivo."
            placeholder="Ficha da feira de outubro, formulário do site…"
            required
            autosize
            minRows={2}
            maxLength={500}
            value={consent.proof}
            onChange={(event) => set({ consent: { ...consent, proof: event.currentTarget.value } })}
          />
        </Stack>
      )}
    </section>
  )
}

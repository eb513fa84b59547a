import { ActionIcon, Button, MultiSelect, Select, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { Values } from './config-fields.tsx'
import classes from './editor.module.css'

type Options = { value: string; label: string }[]
type Props = { form: UseFormReturnType<Values>; accounts: Options; connections: Options }

/** Channels on which other accounts answer. */
export const ConnectionAccounts = ({ form, accounts, connections }: Props) => {
  const path = 'config.accountsByConnection'
  const rows = form.values.config.accountsByConnection
  const { error } = form.getInputProps(path)
  const free = (own: string) =>
    connections.filter(({ value }) => value === own || rows.every(({ connectionId }) => connectionId !== value))
  return (
    <div className={classes.stack}>
      {rows.map(({ connectionId, integrationIds }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place until its channel is chosen
        <div className={classes.pair} key={at}>
          <Select
            label="Canal"
            placeholder="Escolha"
            data={free(connectionId)}
            searchable
            nothingFoundMessage="Nada encontrado."
            {...form.getInputProps(`${path}.${at}.connectionId`)}
            value={connectionId || null}
            onChange={(value) => form.setFieldValue(`${path}.${at}.connectionId`, value ?? '')}
          />
          <MultiSelect
            label="Quem responde nele"
            placeholder={integrationIds.length ? undefined : 'Escolha'}
            data={accounts}
            maxValues={5}
            searchable
            nothingFoundMessage="Nada encontrado."
            {...form.getInputProps(`${path}.${at}.integrationIds`)}
          />
          <ActionIcon
            variant="subtle"
            size={36}
            aria-label="Tirar este canal"
            onClick={() => form.removeListItem(path, at)}
          >
            <IconTrash size={18} stroke={1.75} />
          </ActionIcon>
        </div>
      ))}
      {error && (
        <Text size="sm" c="red">
          {error}
        </Text>
      )}
      {connections.length > rows.length && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          style={{ alignSelf: 'start' }}
          onClick={() => form.insertListItem(path, { connectionId: '', integrationIds: [] })}
        >
          Outra conta num canal
        </Button>
      )}
    </div>
  )
}

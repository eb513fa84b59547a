import { filledAddress, type Provider } from '@balcao/contract/core/providers/define.ts'
import { ActionIcon, Portal, Text, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './provider-preview.module.css'

type Props = { provider: Provider; row: { version: number } & Record<string, unknown>; dirty: boolean }

/** The real thing with what is saved, beside the form where there is room and under it where there is not. */
export const ProviderPreview = ({ provider: { preview: shown }, row, dirty }: Props) => {
  const [round, setRound] = useState(0)
  const isWide = useMediaQuery('(min-width: 68em)', true, { getInitialValueInEffect: false })
  const path = shown && filledAddress(shown.path, encoded(row))
  if (!path) return null
  const preview = (
    <section className={classes.preview} data-beside={isWide} aria-label={shown.label}>
      <div className={classes.bar}>
        <Text size="sm" fw={500}>
          Prévia
        </Text>
        <Text size="xs" c="dimmed" className={classes.hint}>
          {dirty ? 'Salve para ver as mudanças' : 'Como o visitante vê'}
        </Text>
        <Tooltip label="Recarregar prévia">
          <ActionIcon aria-label="Recarregar prévia" onClick={() => setRound(round + 1)}>
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      <iframe key={`${row.version}-${round}`} title={shown.label} src={path} className={classes.frame} />
    </section>
  )
  return isWide ? <Portal>{preview}</Portal> : preview // the drawer moves by transform, which would hold a fixed child
}

const encoded = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? encodeURIComponent(value) : value,
    ]),
  )

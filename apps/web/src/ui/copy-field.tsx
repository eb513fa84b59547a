import { ActionIcon, CopyButton, Textarea, TextInput, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

type Props = { label: string; value: string; description?: string; multiline?: boolean; maxRows?: number }

/** A text to take elsewhere: read whole, copied with one press. */
export const CopyField = ({ label, value, description, multiline, maxRows = 6 }: Props) => {
  const Field = multiline ? Textarea : TextInput
  return (
    <Field
      label={label}
      description={description}
      value={value}
      readOnly
      {...(multiline && { autosize: true, minRows: 2, maxRows })}
      onFocus={(event: { currentTarget: { select: () => void } }) => event.currentTarget.select()}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      rightSection={
        <CopyButton value={value} timeout={2_000}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copiado' : 'Copiar'}>
              <ActionIcon aria-label={copied ? `${label}: copiado` : `Copiar ${label.toLowerCase()}`} onClick={copy}>
                {copied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={18} stroke={1.75} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      }
    />
  )
}

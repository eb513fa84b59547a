import type { Host } from '@balcao/contract/channels/hosts.ts'
import { Select } from '@mantine/core'

type Props = { offered: Host[]; value?: Host | null; onChange?: (host: Host | null) => void; error?: string }

const own = 'own'
const words: Record<Host | typeof own, string> = {
  company: 'Da empresa',
  installation: 'Da instalação',
  own: 'Outro',
}
const says: Record<Host | typeof own, string> = {
  company: 'O que a empresa informou em Configurações.',
  installation: 'O que esta instalação oferece.',
  own: 'Informe abaixo o servidor deste canal.',
}

/** Whose server a channel stands on; where none is offered, it brings its own and is asked nothing. */
export const HostField = ({ offered, value = null, onChange, error }: Props) =>
  offered.length > 0 && (
    <Select
      label="Servidor"
      description={says[value ?? own]}
      data={[...offered, own].map((one) => ({ value: one, label: words[one as Host | typeof own] }))}
      value={value ?? own}
      onChange={(chosen) => onChange?.(offered.find((one) => one === chosen) ?? null)}
      allowDeselect={false}
      error={error}
    />
  )

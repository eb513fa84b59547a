import { Button, Checkbox, Popover, ScrollArea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PopoverPanel } from '../../../ui/popover-panel.tsx'
import { userOptions } from '../../people/users/api.ts'
import classes from './tag-picker.module.css'

type Props = { owners: readonly { id: string; name: string }[]; onChange: (ids: string[]) => void }

/** Who cares for this contact, and a list to tick them in. Each tick is saved. */
export const WalletPicker = ({ owners, onChange }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const people = useQuery({ ...userOptions, enabled: isOpen })
  const chosen = new Set(owners.map((owner) => owner.id))
  const gone = owners.filter((owner) => people.data && !people.data.some((person) => person.id === owner.id))
  const shown = [...gone, ...(people.data ?? [])].filter((person) =>
    person.name.toLowerCase().includes(search.trim().toLowerCase()),
  )
  const toggle = (id: string) => onChange(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id])
  return (
    <div className={classes.tags}>
      {owners.length > 0 && <span>{owners.map((owner) => owner.name).join(', ')}</span>}
      <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={260} trapFocus returnFocus>
        <Popover.Target>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlus size={13} aria-hidden />}
            aria-label="Responsável: escolher quem cuida do contato"
            onClick={() => setOpen(!isOpen)}
          >
            Responsável
          </Button>
        </Popover.Target>
        <PopoverPanel p={8} label="Carteira">
          <TextInput
            size="xs"
            data-autofocus
            placeholder="Buscar pessoa"
            aria-label="Buscar pessoa"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <ScrollArea.Autosize mah={240} mt={6}>
            {shown.map((person) => (
              <Checkbox
                key={person.id}
                size="xs"
                className={classes.option}
                label={person.name}
                checked={chosen.has(person.id)}
                onChange={() => toggle(person.id)}
              />
            ))}
            {shown.length === 0 && (
              <p className={classes.none}>{people.isPending ? 'Carregando…' : 'Ninguém encontrado.'}</p>
            )}
          </ScrollArea.Autosize>
        </PopoverPanel>
      </Popover>
    </div>
  )
}

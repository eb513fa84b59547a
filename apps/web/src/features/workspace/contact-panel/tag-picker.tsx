import { Button, Checkbox, Popover, ScrollArea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { plainText } from '../../../kit/plain-text.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { PopoverPanel } from '../../../ui/popover-panel.tsx'
import { TagChip } from '../../../ui/tag-chip.tsx'
import { tagOptions } from '../../core/pickers/options.ts'
import classes from './tag-picker.module.css'

type Tag = { id: string; name: string; color: string }
type Props = { label: string; tags: readonly Tag[]; onChange: (ids: string[]) => void; readOnly?: boolean }

/** Tags as chips, and a list to tick them in. Each tick is saved. */
export const TagPicker = ({ label, tags, onChange, readOnly }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const all = useQuery({ ...tagOptions, enabled: isOpen })
  const chosen = new Set(tags.map((tag) => tag.id))
  const sought = plainText(search.trim())
  // An archived one stays where it is, and is offered to nobody else.
  const shown = (all.data ?? []).filter(
    (tag) => (tag.isActive || chosen.has(tag.id)) && plainText(tag.name).includes(sought),
  )
  const toggle = (id: string) => onChange(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id])
  return (
    <div className={classes.tags}>
      {tags.map((tag) => (
        <TagChip key={tag.id} name={tag.name} color={tag.color} />
      ))}
      {readOnly ? (
        tags.length === 0 && <span className={classes.none}>Nenhuma</span>
      ) : (
        <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={260} trapFocus returnFocus>
          <Popover.Target>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPlus size={13} aria-hidden />}
              aria-label={`Etiqueta: escolher ${label.toLowerCase()}`}
              onClick={() => setOpen(!isOpen)}
            >
              Etiqueta
            </Button>
          </Popover.Target>
          <PopoverPanel p={8} label={label}>
            <TextInput
              size="xs"
              data-autofocus
              placeholder="Buscar etiqueta"
              aria-label="Buscar etiqueta"
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            <ScrollArea.Autosize mah={240} mt={6}>
              {shown.map((tag) => (
                <Checkbox
                  key={tag.id}
                  size="xs"
                  className={classes.option}
                  label={<ColorDot color={tag.color} label={tag.name} />}
                  checked={chosen.has(tag.id)}
                  onChange={() => toggle(tag.id)}
                />
              ))}
              {shown.length === 0 && (
                <p className={classes.none}>{all.isPending ? 'Carregando…' : 'Nenhuma etiqueta encontrada.'}</p>
              )}
            </ScrollArea.Autosize>
          </PopoverPanel>
        </Popover>
      )}
    </div>
  )
}

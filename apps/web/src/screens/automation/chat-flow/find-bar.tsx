import { ActionIcon, CloseButton, TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useBuilder, useDesk } from '../../../features/automation/flows/builder-context.ts'
import { findIn } from '../../../features/automation/flows/words.ts'
import classes from './canvas-tools.module.css'

type Props = { onGo: (id: string) => void; onClose: () => void }

/** Finds steps by any of their words; Enter goes from one to the next. */
export const FindBar = ({ onGo, onClose }: Props) => {
  const { desk, marks } = useBuilder()
  const nodes = useDesk(desk, (state) => state.nodes)
  const [text, setText] = useState('')
  const [at, setAt] = useState(-1)
  // The letter is there first, then what it finds.
  const wanted = useDeferredValue(text)
  const found = useMemo(() => findIn(nodes, wanted), [nodes, wanted])
  useEffect(() => {
    marks.set({ found: wanted.trim() ? new Set(found) : null })
  }, [marks, found, wanted])
  useEffect(() => {
    return () => marks.set({ found: null })
  }, [marks])
  const go = (by: number) => {
    const all = wanted === text ? found : findIn(nodes, text)
    if (!all.length) return
    const next = (at + by + all.length) % all.length
    setAt(next)
    const id = all[next]
    if (id) onGo(id)
  }
  return (
    <search className={classes.find}>
      <TextInput
        autoFocus
        className={classes.text}
        aria-label="Buscar no fluxo"
        placeholder="Buscar em textos, opções e nomes"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(-1)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') onClose()
        }}
      />
      <span role="status" className={classes.count}>
        {wanted.trim() && (found.length ? `${at + 1 || '–'} de ${found.length}` : 'Nada')}
      </span>
      <ActionIcon size={30} aria-label="Anterior" disabled={!found.length} onClick={() => go(-1)}>
        <IconChevronUp size={17} />
      </ActionIcon>
      <ActionIcon size={30} aria-label="Próximo" disabled={!found.length} onClick={() => go(1)}>
        <IconChevronDown size={17} />
      </ActionIcon>
      <CloseButton size={30} aria-label="Fechar busca" onClick={onClose} />
    </search>
  )
}

import { Loader, Modal, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useState } from 'react'
import classes from './command-bar.module.css'
import { type Hit, useHits } from './use-hits.tsx'

/** Ctrl+K: go to a screen, a conversation or a contact, or run a macro, by typing a part of its name. */
export const CommandBar = ({ onClose }: { onClose: () => void }) => {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { hits, isSearching } = useHits(text)
  const active = Math.min(at, hits.length - 1)
  useEffect(() => {
    document.getElementById(`hit-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const open = (hit: Hit | undefined, event: KeyboardEvent | MouseEvent) => {
    if (!hit) return
    hit.act(event)
    onClose()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(hits[active], event)
    else if (event.key === 'ArrowDown') setAt(Math.min(active + 1, hits.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(active - 1, 0))
    else return
    event.preventDefault()
  }

  return (
    <Modal.Root
      opened
      onClose={onClose}
      centered={false}
      yOffset="12vh"
      size={560}
      padding={0}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Buscar telas, atendimentos e contatos">
        <TextInput
          data-autofocus
          autoFocus
          size="lg"
          variant="unstyled"
          className={classes.input}
          leftSection={isSearching ? <Loader size={16} /> : <IconSearch size={18} aria-hidden />}
          placeholder="Buscar telas, atendimentos e contatos"
          aria-label="Buscar telas, atendimentos e contatos"
          role="combobox"
          aria-expanded
          aria-controls="command-hits"
          aria-activedescendant={hits[active] && `hit-${active}`}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={handleKey}
        />
        <div id="command-hits" role="listbox" aria-label="Resultados" className={classes.hits}>
          {hits.map((hit, index) => (
            <div key={hit.id}>
              {hit.section !== hits[index - 1]?.section && <div className={classes.section}>{hit.section}</div>}
              <UnstyledButton
                id={`hit-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                className={classes.hit}
                onMouseMove={() => setAt(index)}
                onClick={(event) => open(hit, event)}
              >
                <span className={classes.mark}>{hit.mark}</span>
                <span className={`truncate ${classes.label}`} title={hit.label}>
                  {hit.label}
                </span>
                {hit.hint && <span className={`truncate ${classes.hint}`}>{hit.hint}</span>}
              </UnstyledButton>
            </div>
          ))}
          {hits.length === 0 && !isSearching && <div className={classes.none}>Nada encontrado para “{text}”</div>}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

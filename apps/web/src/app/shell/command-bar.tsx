import { Loader, Modal, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useEffectEvent, useState } from 'react'
import classes from './command-bar.module.css'
import { type Hit, useHits } from './use-hits.tsx'

/** Ctrl+K: go somewhere or do something, by typing a part of its name; `typed` before it was loaded. */
export const CommandBar = ({ typed, onClose }: { typed: string; onClose: () => void }) => {
  const [text, setText] = useState(typed)
  const [chosen, setChosen] = useState('')
  const [entered, setEntered] = useState<KeyboardEvent>()
  const { hits, isSearching } = useHits(text)
  // What was walked to stays chosen when more is found above it.
  const active = Math.max(
    0,
    hits.findIndex(({ id }) => id === chosen),
  )
  useEffect(() => {
    document.getElementById(`hit-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const open = (hit: Hit | undefined, event: KeyboardEvent | MouseEvent) => {
    if (!hit) return
    hit.act(event)
    onClose()
  }
  // Enter at once after typing: what was found for an earlier word is not what was meant.
  const isAwaited = hits[active]?.isOld ?? (isSearching && hits.length === 0)
  const openEntered = useEffectEvent(() => {
    if (entered) open(hits[active], entered)
  })
  useEffect(() => {
    if (!isAwaited) openEntered()
  }, [isAwaited])
  const choose = (at: number) => setChosen(hits[at]?.id ?? '')
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') isAwaited ? setEntered(event) : open(hits[active], event)
    else if (event.key === 'ArrowDown') choose(Math.min(active + 1, hits.length - 1))
    else if (event.key === 'ArrowUp') choose(Math.max(active - 1, 0))
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
      <Modal.Content aria-label="Buscar telas, pessoas e ações">
        <TextInput
          data-autofocus
          autoFocus
          size="lg"
          variant="unstyled"
          className={classes.input}
          leftSection={isSearching ? <Loader size={16} /> : <IconSearch size={18} aria-hidden />}
          placeholder="Buscar telas, pessoas e ações"
          aria-label="Buscar telas, pessoas e ações"
          role="combobox"
          aria-expanded
          aria-controls="command-hits"
          aria-activedescendant={hits[active] && `hit-${active}`}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setChosen('')
            setEntered(undefined)
          }}
          onKeyDown={handleKey}
        />
        <div id="command-hits" role="listbox" aria-label="Resultados" className={classes.hits}>
          {sectionsOf(hits).map(({ name, first, members }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, which no element stands for
            <div key={name} role="group" aria-label={name}>
              <div className={classes.section} aria-hidden>
                {name}
              </div>
              {members.map((hit, place) => (
                <UnstyledButton
                  key={hit.id}
                  id={`hit-${first + place}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={first + place === active}
                  className={classes.hit}
                  onMouseMove={() => setChosen(hit.id)}
                  onClick={(event) => open(hit, event)}
                >
                  <span className={classes.mark}>{hit.mark}</span>
                  <span className={`truncate ${classes.label}`} title={hit.label}>
                    {hit.label}
                  </span>
                  {hit.hint && <span className={`truncate ${classes.hint}`}>{hit.hint}</span>}
                </UnstyledButton>
              ))}
            </div>
          ))}
          {hits.length === 0 && !isSearching && <div className={classes.none}>Nada encontrado para “{text}”</div>}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

type Section = { name: string; first: number; members: Hit[] }

/** Neighbours of one section together; `first` is the place of its first among all. */
const sectionsOf = (hits: readonly Hit[]): Section[] =>
  hits.reduce<Section[]>((sections, hit, at) => {
    const last = sections.at(-1)
    if (last?.name === hit.section) last.members.push(hit)
    else sections.push({ name: hit.section, first: at, members: [hit] })
    return sections
  }, [])

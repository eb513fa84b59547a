import { Button, CloseButton, Progress, TextInput, VisuallyHidden } from '@mantine/core'
import { IconFile, IconGripVertical, IconMusic } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { formatBytes } from '../../kit/format.ts'
import { type Abilities, sendableAs } from './abilities.ts'
import classes from './attachment-tray.module.css'
import { type Attachment, detach, moveAttachment, retryUpload, writeCaption } from './attachments.ts'

type Props = { ticketId: string; items: readonly Attachment[]; abilities: Abilities }

/** The files about to be sent, in their order: how they look, how far they are, what is written under them. */
export const AttachmentTray = ({ ticketId, items, abilities }: Props) => {
  const list = useRef<HTMLUListElement>(null)
  const [moved, setMoved] = useState<Attachment | null>(null)
  if (!items.length) return null
  const canMove = items.length > 1
  const move = (item: Attachment, to: number) => {
    setMoved(item)
    moveAttachment(ticketId, item.id, to)
  }
  const handleKey = (event: KeyboardEvent, item: Attachment, index: number) => {
    const step = steps[event.key]
    if (!event.altKey || step === undefined) return
    event.preventDefault() // Alt and an arrow go back in the browser
    move(item, index + step)
  }
  /** The file follows the pointer to the place of whatever is under it. */
  const handleDrag = (event: PointerEvent, item: Attachment) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const cards = [...(list.current?.children ?? [])]
    const over = cards.findIndex((card) => isInside(card.getBoundingClientRect(), event))
    if (over >= 0) move(item, over)
  }
  return (
    <>
      <ul ref={list} className={classes.tray} aria-label="Arquivos a enviar">
        {items.map((item, index) => {
          const type = sendableAs(item.kind, abilities)
          const problem = item.error ?? (type ? null : 'Este canal não aceita este tipo de arquivo.')
          return (
            <li
              key={item.id}
              className={classes.item}
              data-bad={problem !== null}
              onKeyDown={(event) => canMove && handleKey(event, item, index)}
            >
              {canMove && (
                <button
                  type="button"
                  className={classes.grip}
                  aria-label={`Mover ${item.name}: ${index + 1} de ${items.length}. Use Alt e as setas.`}
                  title="Arraste, ou use Alt e as setas"
                  onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
                  onPointerMove={(event) => handleDrag(event, item)}
                >
                  <IconGripVertical size={16} stroke={1.75} aria-hidden />
                </button>
              )}
              <Picture item={item} />
              <span className={classes.words}>
                <span className={classes.name}>
                  <span className="truncate" title={item.name}>
                    {item.name}
                  </span>
                  <span className={`${classes.size} tabular`}>{formatBytes(item.size)}</span>
                </span>
                {problem ? (
                  <span className={classes.problem} role="alert">
                    {problem}{' '}
                    {item.error && (
                      <Button size="compact-xs" variant="subtle" onClick={() => retryUpload(item.id)}>
                        Tentar de novo
                      </Button>
                    )}
                  </span>
                ) : item.media ? (
                  type !== 'audio' && (
                    <TextInput
                      size="xs"
                      variant="unstyled"
                      placeholder="Legenda"
                      aria-label={`Legenda de ${item.name}`}
                      maxLength={1_024}
                      lang="pt-BR"
                      spellCheck
                      value={item.caption}
                      onChange={(event) => writeCaption(ticketId, item.id, event.currentTarget.value)}
                    />
                  )
                ) : (
                  <Progress value={Math.max(4, item.progress * 100)} size="sm" aria-label={`Envio de ${item.name}`} />
                )}
              </span>
              <CloseButton
                aria-label={item.media || problem ? `Remover ${item.name}` : `Cancelar envio de ${item.name}`}
                onClick={() => detach(ticketId, item.id)}
              />
            </li>
          )
        })}
      </ul>
      <VisuallyHidden role="status">
        {moved && `${moved.name}: ${items.findIndex((one) => one.id === moved.id) + 1} de ${items.length}`}
      </VisuallyHidden>
    </>
  )
}

const Picture = ({ item }: { item: Attachment }) => (
  <span className={classes.picture}>
    {item.previewUrl && item.kind === 'image' ? (
      <img src={item.previewUrl} alt="" draggable={false} />
    ) : item.previewUrl && item.kind === 'video' ? (
      <video src={item.previewUrl} muted preload="metadata" />
    ) : item.kind === 'audio' ? (
      <IconMusic size={22} stroke={1.6} aria-hidden />
    ) : (
      <IconFile size={22} stroke={1.6} aria-hidden />
    )}
  </span>
)

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }
const isInside = ({ left, right, top, bottom }: DOMRect, { clientX, clientY }: PointerEvent) =>
  clientX >= left && clientX < right && clientY >= top && clientY < bottom

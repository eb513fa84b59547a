import { VisuallyHidden } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import type { Abilities } from '../../conversations/messages/abilities.ts'
import { moveItem, type TrayItem } from '../../conversations/messages/tray.ts'
import { AttachmentCard } from './attachment-card.tsx'
import classes from './attachment-tray.module.css'

type Props = { placeId: string; items: readonly TrayItem[]; abilities: Abilities }

/** The files about to be sent, in their order: how they look, how far they are, what is written under them. */
export const AttachmentTray = ({ placeId, items, abilities }: Props) => {
  const list = useRef<HTMLUListElement>(null)
  const [moved, setMoved] = useState<TrayItem | null>(null)
  if (!items.length) return null
  const canMove = items.length > 1
  const move = (item: TrayItem, to: number) => {
    setMoved(item)
    moveItem(placeId, item.id, to)
  }
  const handleKey = (event: KeyboardEvent, item: TrayItem, index: number) => {
    const step = steps[event.key]
    if (!event.altKey || step === undefined) return
    event.preventDefault() // Alt and an arrow go back in the browser
    move(item, index + step)
  }
  /** The file follows the pointer to the place of whatever is under it. */
  const handleDrag = (event: PointerEvent, item: TrayItem) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const cards = [...(list.current?.children ?? [])]
    const over = cards.findIndex((card) => isInside(card.getBoundingClientRect(), event))
    if (over >= 0) move(item, over)
  }
  return (
    <>
      <ul ref={list} className={classes.tray} aria-label="Arquivos a enviar">
        {items.map((item, index) => (
          <li key={item.id} onKeyDown={(event) => canMove && handleKey(event, item, index)}>
            <AttachmentCard placeId={placeId} item={item} abilities={abilities}>
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
            </AttachmentCard>
          </li>
        ))}
      </ul>
      <VisuallyHidden role="status">
        {moved && `${moved.name}: ${items.findIndex((one) => one.id === moved.id) + 1} de ${items.length}`}
      </VisuallyHidden>
    </>
  )
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }
const isInside = ({ left, right, top, bottom }: DOMRect, { clientX, clientY }: PointerEvent) =>
  clientX >= left && clientX < right && clientY >= top && clientY < bottom

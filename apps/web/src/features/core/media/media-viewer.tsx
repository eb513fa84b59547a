import type { Media } from '@balcao/contract/core/media.ts'
import { ActionIcon, Modal } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload, IconX, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import classes from './media-viewer.module.css'

type Props = { items: readonly Media[]; startId: string; onClose: () => void }
type View = { zoom: number; x: number; y: number }

const still: View = { zoom: 1, x: 0, y: 0 }
const mostZoom = 6
const zoomStep = 1.4

/** Pictures and films of the conversation, one at a time, full screen: arrows, + and −, drag, download, Esc. */
export const MediaViewer = ({ items, startId, onClose }: Props) => {
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      items.findIndex((item) => item.id === startId),
    ),
  )
  const [view, setView] = useState(still)
  const [dragFrom, setDragFrom] = useState<{ x: number; y: number } | null>(null)
  const [broken, setBroken] = useState<string | null>(null)
  const item = items[at]

  const move = (step: number) => {
    const next = at + step
    if (!items[next]) return
    setAt(next)
    setView(still)
  }
  const zoom = (factor: number) =>
    setView((now) => {
      const next = Math.min(mostZoom, Math.max(1, now.zoom * factor))
      return next === 1 ? still : { ...now, zoom: next }
    })
  const keys = new Map([
    ['ArrowLeft', () => move(-1)],
    ['ArrowRight', () => move(1)],
    ['+', () => zoom(zoomStep)],
    ['=', () => zoom(zoomStep)],
    ['-', () => zoom(1 / zoomStep)],
    ['0', () => setView(still)],
  ])
  const handleKey = (event: KeyboardEvent) => {
    const act = keys.get(event.key)
    if (!act || event.target instanceof HTMLVideoElement) return
    event.preventDefault()
    act()
  }
  const handleDown = (event: PointerEvent<HTMLElement>) => {
    if (view.zoom === 1) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDragFrom({ x: event.clientX - view.x, y: event.clientY - view.y })
  }
  if (!item) return null
  const isImage = item.kind !== 'video'
  const isBroken = broken === item.id
  return (
    <Modal.Root opened onClose={onClose} fullScreen padding={0} transitionProps={{ duration: 0 }}>
      <Modal.Content className={classes.frame} aria-label={`Visualizador: ${item.name}`} onKeyDown={handleKey}>
        <div className={classes.bar}>
          <span className={`truncate ${classes.name}`}>{item.name}</span>
          {items.length > 1 && (
            <span className="tabular">
              {at + 1} de {items.length}
            </span>
          )}
          <span className={classes.tools}>
            {isImage && !isBroken && (
              <>
                <ActionIcon
                  color="white"
                  aria-label="Diminuir"
                  onClick={() => zoom(1 / zoomStep)}
                  disabled={view.zoom === 1}
                >
                  <IconZoomOut size={20} stroke={1.75} />
                </ActionIcon>
                <ActionIcon color="white" aria-label="Ampliar" onClick={() => zoom(zoomStep)}>
                  <IconZoomIn size={20} stroke={1.75} />
                </ActionIcon>
              </>
            )}
            <ActionIcon color="white" component="a" href={item.url} download={item.name} aria-label="Baixar">
              <IconDownload size={20} stroke={1.75} />
            </ActionIcon>
            <ActionIcon color="white" aria-label="Fechar" onClick={onClose} data-autofocus>
              <IconX size={20} stroke={1.75} />
            </ActionIcon>
          </span>
        </div>
        <div className={classes.stage}>
          {isBroken ? (
            <p role="alert">Não conseguimos mostrar este arquivo. Baixe para abrir no seu aparelho.</p>
          ) : isImage ? (
            <img
              key={item.id}
              src={item.url}
              alt={item.name}
              draggable={false}
              className={classes.image}
              onError={() => setBroken(item.id)}
              data-zoomed={view.zoom > 1}
              style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.zoom})` }}
              onWheel={(event) => zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15)}
              onDoubleClick={() => (view.zoom > 1 ? setView(still) : zoom(2))}
              onPointerDown={handleDown}
              onPointerMove={(event) =>
                dragFrom && setView((now) => ({ ...now, x: event.clientX - dragFrom.x, y: event.clientY - dragFrom.y }))
              }
              onPointerUp={() => setDragFrom(null)}
            />
          ) : (
            // biome-ignore lint/a11y/useMediaCaption: what a customer filmed has no captions
            <video
              key={item.id}
              src={item.url}
              className={classes.image}
              controls
              autoPlay
              onError={() => setBroken(item.id)}
            />
          )}
        </div>
        {at > 0 && (
          <ActionIcon className={classes.previous} size={44} aria-label="Anterior" onClick={() => move(-1)}>
            <IconChevronLeft size={26} />
          </ActionIcon>
        )}
        {at < items.length - 1 && (
          <ActionIcon className={classes.next} size={44} aria-label="Próxima" onClick={() => move(1)}>
            <IconChevronRight size={26} />
          </ActionIcon>
        )}
      </Modal.Content>
    </Modal.Root>
  )
}

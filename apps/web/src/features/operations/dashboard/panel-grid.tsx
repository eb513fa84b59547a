import {
  arrangePanels,
  type PanelKey,
  type PanelSize,
  type PlacedPanel,
  panelSizes,
  panels,
} from '@balcao/contract/operations/dashboard-panels.ts'
import { DragDropProvider, DragOverlay, useDraggable, useDroppable } from '@dnd-kit/react'
import { ActionIcon, Button, Group, SegmentedControl, Tooltip } from '@mantine/core'
import { IconEye, IconEyeOff, IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { savePreferences } from '../../../kit/preferences.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { plugins, sensors } from '../../../ui/dragging.ts'
import { notify } from '../../../ui/notify.ts'
import classes from './panel-grid.module.css'

const sizeLabels: Record<PanelSize, string> = { small: 'Pequeno', medium: 'Médio', wide: 'Largo' }

/** The person's panels, in their order; kept on the server with every change. */
export const usePanels = () => {
  const { user } = useCurrentSession()
  const kept = user.configs.dashboardPanels ?? []
  return { placed: arrangePanels(kept), isArranged: kept.length > 0 }
}
const keep = (dashboardPanels: PlacedPanel[]) => void savePreferences({ dashboardPanels })

/** Undone from the toast: an arrangement takes minutes, a click takes it away. */
export const resetPanels = (placed: PlacedPanel[]) => {
  keep([])
  notify.success('Painéis de volta ao padrão.', { label: 'Desfazer', onClick: () => keep(placed) })
}

type Props = { placed: PlacedPanel[]; isArranging: boolean; draw: (key: PanelKey) => ReactNode }

/**
 * Panels side by side as wide as each is. While they are arranged, one is moved by its handle, by mouse, by finger or by
 * the arrow keys, and made wider or hidden by the buttons beside it.
 */
export const PanelGrid = ({ placed, isArranging, draw }: Props) => {
  const [dragged, setDragged] = useState<PanelKey | null>(null)
  const [told, setTold] = useState('')
  const refocus = useRef<PanelKey | null>(null)
  const shown = placed.filter((one) => !one.isHidden)
  const hidden = placed.filter((one) => one.isHidden)

  const change = (key: PanelKey, patch: Partial<PlacedPanel>) =>
    keep(placed.map((one) => (one.key === key ? { ...one, ...patch } : one)))
  const moveTo = (key: PanelKey, target: PanelKey) => {
    const from = placed.findIndex((one) => one.key === key)
    const to = placed.findIndex((one) => one.key === target)
    const panel = placed[from]
    if (!panel || to < 0 || from === to) return
    keep(placed.toSpliced(from, 1).toSpliced(to, 0, panel))
    const place = shown.findIndex((one) => one.key === target) + 1
    setTold(`${panels[key].title}: lugar ${place} de ${shown.length}.`)
  }
  const step = (key: PanelKey, by: 1 | -1) => {
    const target = shown[shown.findIndex((one) => one.key === key) + by]
    if (!target) return
    refocus.current = key
    moveTo(key, target.key)
  }
  const setHidden = ({ key }: PlacedPanel, isHidden: boolean) => {
    change(key, { isHidden })
    setTold(`${panels[key].title}: ${isHidden ? 'escondido' : 'à mostra'}.`)
  }
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={plugins}
      onDragStart={({ operation: { source } }) => setDragged(keyOf(placed, source?.id))}
      onDragEnd={({ operation: { target }, canceled }) => {
        setDragged(null)
        const to = keyOf(placed, target?.id)
        if (!canceled && dragged && to) moveTo(dragged, to)
      }}
    >
      <div className={classes.grid} data-arranging={isArranging}>
        {shown.map((one) => (
          <Cell
            key={one.key}
            panel={one}
            isArranging={isArranging}
            isDragging={dragged !== null}
            refocus={refocus}
            onStep={(by) => step(one.key, by)}
            onSize={(size) => change(one.key, { size })}
            onHide={() => setHidden(one, true)}
          >
            {draw(one.key)}
          </Cell>
        ))}
      </div>
      {isArranging && hidden.length > 0 && (
        <section className={classes.hidden} aria-label="Painéis escondidos">
          <h2>Escondidos</h2>
          <Group gap="xs">
            {hidden.map((one) => (
              <Button
                key={one.key}
                variant="default"
                leftSection={<IconEye size={16} aria-hidden />}
                onClick={() => setHidden(one, false)}
              >
                Mostrar {panels[one.key].title}
              </Button>
            ))}
          </Group>
        </section>
      )}
      <DragOverlay dropAnimation={null}>
        {dragged && <div className={classes.overlay}>{panels[dragged].title}</div>}
      </DragOverlay>
      <span className={classes.unseen} role="status">
        {told}
      </span>
    </DragDropProvider>
  )
}

const keyOf = (placed: readonly PlacedPanel[], id: unknown) => placed.find((one) => one.key === id)?.key ?? null

type CellProps = {
  panel: PlacedPanel
  isArranging: boolean
  isDragging: boolean
  refocus: RefObject<PanelKey | null>
  onStep: (by: 1 | -1) => void
  onSize: (size: PanelSize) => void
  onHide: () => void
  children: ReactNode
}
const steps: Record<string, 1 | -1> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

const Cell = ({ panel, isArranging, isDragging, refocus, onStep, onSize, onHide, children }: CellProps) => {
  const { key, size } = panel
  const { title } = panels[key]
  const { ref: dragRef, handleRef, isDragSource } = useDraggable({ id: key, disabled: !isArranging })
  const { ref: dropRef, isDropTarget } = useDroppable({ id: key, disabled: !isArranging })
  const grip = useRef<HTMLButtonElement | null>(null)
  // Whoever moved it by its handle goes on there: an element that changes places loses the focus.
  useLayoutEffect(() => {
    if (refocus.current !== key) return
    refocus.current = null
    grip.current?.focus()
  })
  const handleKey = (event: KeyboardEvent) => {
    const by = steps[event.key]
    if (!by) return
    event.preventDefault()
    onStep(by)
  }
  return (
    <div
      className={classes.cell}
      data-panel={key}
      data-size={size}
      data-source={isDragSource}
      data-over={isDragging && isDropTarget && !isDragSource}
      ref={(element) => {
        dragRef(element)
        dropRef(element)
      }}
    >
      {isArranging && (
        <div className={classes.tools}>
          <Tooltip label="Arraste, ou use as setas do teclado">
            <ActionIcon
              className={classes.grip}
              aria-label={`Mover ${title}`}
              aria-keyshortcuts="ArrowLeft ArrowRight"
              onKeyDown={handleKey}
              ref={(element) => {
                handleRef(element)
                grip.current = element
              }}
            >
              <IconGripVertical size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
          <span className={`truncate ${classes.title}`}>{title}</span>
          <SegmentedControl
            size="xs"
            aria-label={`Largura de ${title}`}
            value={size}
            onChange={(value) => onSize(value as PanelSize)} // one of the three below
            data={panelSizes.map((value) => ({ value, label: sizeLabels[value] }))}
          />
          <Tooltip label="Esconder">
            <ActionIcon aria-label={`Esconder ${title}`} onClick={onHide}>
              <IconEyeOff size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </div>
      )}
      <div className={classes.body} inert={isArranging}>
        {children}
      </div>
    </div>
  )
}

import type { Flow, FlowProblem } from '@balcao/contract/automation/flows/flows.ts'
import { type NodeKind, nodeKinds, portsOf, startId } from '@balcao/contract/automation/flows/graph.ts'
import { titleOf } from '@balcao/contract/automation/flows/problems.ts'
import { type ActionKind, blankAction } from '@balcao/contract/conversations/actions/index.ts'
import { useMediaQuery } from '@mantine/hooks'
import { useReactFlow } from '@xyflow/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { BuilderProvider, createMarks, useDesk } from '../../../features/automation/flows/builder-context.ts'
import { Canvas, fitting } from '../../../features/automation/flows/canvas.tsx'
import type { Desk, Taken } from '../../../features/automation/flows/desk.ts'
import {
  added,
  connected,
  copyOf,
  leadsOn,
  type PortRef,
  pasted,
  removed,
  tidied,
} from '../../../features/automation/flows/edits.ts'
import {
  arranged,
  boxOf,
  farZoom,
  frameAround,
  freePlace,
  neighbour,
  sizeOf,
} from '../../../features/automation/flows/geometry.ts'
import { KindList } from '../../../features/automation/flows/kind-list.tsx'
import type { Patch } from '../../../features/automation/flows/patch.ts'
import { StepPicker } from '../../../features/automation/flows/step-picker.tsx'
import { useLook } from '../../../features/automation/flows/use-flow-desk.ts'
import { useShortcuts } from '../../../features/automation/flows/use-shortcuts.ts'
import { variablesIn } from '../../../features/automation/flows/words.ts'
import { VariablesHere } from '../../../features/contacts/variables/use-variables.ts'
import { plural } from '../../../kit/format.ts'
import { useSteady } from '../../../kit/use-steady.ts'
import { notify } from '../../../ui/notify.ts'
import classes from './builder.module.css'
import { BuilderBar } from './builder-bar.tsx'
import { CanvasTools } from './canvas-tools.tsx'
import { FindBar } from './find-bar.tsx'
import { NumbersBar } from './numbers-bar.tsx'
import { ProblemsPanel } from './problems-panel.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { RehearsalPanel } from './rehearsal-panel.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { StepPanel } from './step-panel.tsx'
import { TakenBar } from './taken-bar.tsx'
import { useBuilderMarks } from './use-builder-marks.ts'
import { VersionsPanel } from './versions-panel.tsx'

/** What stands at the right of the canvas; the step's own form where none of these is asked for. */
export type Side = 'step' | 'settings' | 'problems' | 'versions' | 'rehearsal'
type Point = { x: number; y: number }
type Picking = { at: Point; from: PortRef | null; place: Point | null }
const noIds: ReadonlySet<string> = new Set()

type Props = {
  flow: Flow
  desk: Desk
  /** What others changed while it was changed here, until somebody decides. */
  taken: readonly Taken[]
  onSettled: (taken: Taken) => void
}

export const Builder = ({ flow, desk, taken, onSettled }: Props) => {
  const { screenToFlowPosition, fitView, setCenter, getZoom, getViewport } = useReactFlow()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const readOnly = isNarrow
  const nodes = useDesk(desk, (state) => state.nodes)
  const [marks] = useState(createMarks)
  const [selected, setSelected] = useState(noIds)
  const [lines, setLines] = useState<readonly PortRef[]>([])
  const [side, setSide] = useState<Side | null>(null)
  const [asked, setAsked] = useState(0)
  const [picking, setPicking] = useState<Picking | null>(null)
  const [isFinding, setFinding] = useState(false)
  const [isPublishing, setPublishing] = useState(false)
  const [hasNumbers, setNumbers] = useState(false)
  const [said, setSaid] = useState('')
  const canvas = useRef<HTMLElement>(null)
  const problems = useBuilderMarks(flow.id, desk, marks)

  const only = selected.size === 1 ? nodes.get([...selected][0] ?? '') : undefined
  useLook(flow.id, only?.id ?? null)
  const variables = useMemo(() => variablesIn(nodes), [nodes])
  const variableNames = variables.map(({ name }) => name).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same names are the same list, however often a step is written in
  const known = useMemo(() => variables, [variableNames])

  const focusCanvas = () => canvas.current?.focus({ preventScroll: true })
  const choose = (ids: Iterable<string>) => {
    setSelected(new Set(ids))
    setLines([])
  }
  const handleSelect = (ids: ReadonlySet<string>) => {
    setSelected(ids)
    if (ids.size && (side === null || side === 'settings')) setSide('step')
    const [id] = ids
    // The panel takes the lower half of a phone: what was touched is not to lie below it.
    if (isNarrow && id) requestAnimationFrame(() => requestAnimationFrame(() => show(id)))
  }
  /** Into view where it is not; `near`: also where its words are too small to read. */
  const show = (id: string, near = false) => {
    const node = desk.get().nodes.get(id)
    const area = canvas.current?.getBoundingClientRect()
    if (!node || !area) return
    const box = boxOf(node)
    const { x, y, zoom } = getViewport()
    const isSeen =
      box.x * zoom + x >= 0 &&
      box.y * zoom + y >= 0 &&
      (box.x + box.width) * zoom + x <= area.width &&
      (box.y + box.height) * zoom + y <= area.height
    if (!isSeen || (near && zoom < farZoom))
      void setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: Math.max(getZoom(), 0.6) })
  }
  const goTo = (id: string) => {
    choose([id])
    show(id)
  }
  const goNear = (id: string) => {
    choose([id])
    show(id, true)
  }
  const openStep = (id: string | undefined) => {
    if (!id) return
    choose([id])
    setSide('step')
    setAsked((now) => now + 1)
  }
  const middle = (): Point => {
    const { left, top, width, height } = canvas.current?.getBoundingClientRect() ?? new DOMRect()
    return screenToFlowPosition({ x: left + width / 2, y: top + height / 2 })
  }

  const change = (patch: Patch) => {
    if (!readOnly) desk.change(patch)
  }
  const add = (kind: NodeKind, place: PortRef | Point, action?: ActionKind) => {
    const { patch, node } = added(desk.get().nodes, kind, place)
    change(action ? beginningWith(patch, node.id, action) : patch)
    choose([node.id])
    setSide('step')
    setPicking(null)
    requestAnimationFrame(() => {
      show(node.id)
      focusCanvas()
    })
    setSaid(`${titleOf(node)} adicionado`)
  }
  /** Behind the chosen step where it has a way that leads nowhere yet, else in the middle. */
  const freePort = (): PortRef | null => {
    const from = only ?? nodes.get(startId)
    const port = from && portsOf(from).find(({ id }) => !from.next[id])
    return from && port ? { id: from.id, port: port.id } : null
  }
  const centred = (kind: NodeKind, { x, y }: Point): Point => {
    const { width, height } = sizeOf(added(new Map(), kind, { x: 0, y: 0 }).node)
    return { x: x - width / 2, y: y - height / 2 }
  }
  /** Upon no other card; a frame goes around them. */
  const free = (kind: NodeKind, point: Point): Point => {
    const { height } = sizeOf(added(new Map(), kind, { x: 0, y: 0 }).node)
    const at = centred(kind, point)
    return kind === 'group' ? at : freePlace(desk.get().nodes.values(), at, height)
  }
  /** On the chosen line; else behind the chosen step, on its first line where all its ways lead somewhere. */
  const placeFor = (kind?: NodeKind): PortRef | null => {
    const [line] = lines
    if (line && lines.length === 1 && (!kind || leadsOn(kind))) return line
    const free = freePort()
    const taken = only && Object.keys(tidied(only).next)[0]
    return free ?? (only && taken && (!kind || leadsOn(kind)) ? { id: only.id, port: taken } : null)
  }
  const addSomewhere = (kind: NodeKind) => add(kind, placeFor(kind) ?? free(kind, middle()))
  const offerAdd = () => {
    const from = placeFor()
    const area = canvas.current?.getBoundingClientRect()
    const at = area ? { x: area.left + area.width / 2 - 150, y: area.top + 80 } : { x: 80, y: 80 }
    setPicking({ at, from, place: from ? null : middle() })
  }
  const remove = () => {
    const patch = removed(desk.get().nodes, selected, lines)
    change(patch)
    choose([])
    if (patch.removes.length) setSaid(plural(patch.removes.length, 'passo excluído', 'passos excluídos'))
  }
  const paste = (text: string, at: Point | null) => {
    const found = pasted(desk.get().nodes, text, at)
    if (!found || readOnly) return false
    change(found.patch)
    choose(found.ids)
    setSaid(plural(found.ids.length, 'passo colado', 'passos colados'))
    return true
  }
  const duplicate = () => {
    const text = copyOf(desk.get().nodes, selected)
    if (text) paste(text, null)
  }
  const arrange = () => {
    change({ upserts: arranged([...desk.get().nodes.values()]), removes: [] })
    requestAnimationFrame(() => void fitView(fitting))
  }
  /** A frame around what is chosen. */
  const group = () => {
    const chosen = [...selected].flatMap((id) => nodes.get(id) ?? [])
    if (!chosen.length) return
    const { x, y, width, height } = frameAround(chosen.map(boxOf))
    const { node } = added(nodes, 'group', { x, y })
    if (node.kind !== 'group') return
    const frame = { ...node, data: { ...node.data, width, height } }
    change({ upserts: [frame], removes: [] })
    choose([frame.id])
    setSide('step')
  }
  const move = (direction: 'left' | 'right' | 'up' | 'down', by: 'focus' | 'step') => {
    const from = only ?? nodes.get(startId)
    if (!from) return
    if (by === 'focus') {
      const next = only ? neighbour([...nodes.values()], from, direction) : from
      if (!next) return
      goTo(next.id)
      setSaid(titleOf(next))
      return
    }
    const steps = { left: [-8, 0], right: [8, 0], up: [0, -8], down: [0, 8] } as const
    const [dx, dy] = steps[direction]
    const upserts = [...selected].flatMap((id) => {
      const node = nodes.get(id)
      return node ? { ...node, x: node.x + dx, y: node.y + dy } : []
    })
    if (!readOnly) desk.change({ upserts, removes: [] }, 'move')
  }

  useShortcuts(canvas, {
    undo: () => !readOnly && desk.undo(),
    redo: () => !readOnly && desk.redo(),
    remove,
    selectAll: () => choose(nodes.keys()),
    search: () => setFinding(true),
    open: () => openStep(only?.id),
    type: () => !readOnly && only && flushSync(() => openStep(only.id)),
    close: () => (isFinding ? closeFind() : side ? setSide(null) : choose([])),
    add: () => !readOnly && offerAdd(),
    duplicate,
    move,
    copy: () => copyOf(desk.get().nodes, selected),
    cut: () => {
      const text = copyOf(desk.get().nodes, selected)
      if (text) remove()
      return text
    },
    paste: (text) => paste(text, middle()),
  })
  useEffect(() => {
    canvas.current?.focus({ preventScroll: true })
  }, [])

  const [offerAfter] = useState(() => (from: PortRef, at: Point) => setPicking({ at, from, place: null }))
  const builder = useMemo(() => ({ desk, marks, readOnly, offerAfter }), [desk, marks, readOnly, offerAfter])
  /** What surrounds the canvas is not drawn anew for every letter in a step. */
  const handleAdd = useSteady(addSomewhere)
  const handleArrange = useSteady(arrange)
  const handleGroup = useSteady(group)
  const handleSide = useSteady((next: Side) => setSide(side === next ? null : next))
  const handleFind = useSteady(() => setFinding(true))
  const handleNumbers = useSteady(() => setNumbers((now) => !now))
  const handlePublish = useSteady(() => setPublishing(true))
  const closeSide = () => {
    setSide(null)
    focusCanvas()
  }
  const closeFind = () => {
    setFinding(false)
    focusCanvas()
  }
  const pickedLine = picking?.from ? nodes.has(nodes.get(picking.from.id)?.next[picking.from.port] ?? '') : false
  const shownProblem = (problem: FlowProblem) => {
    if (problem.nodeId) openStep(problem.nodeId)
    else setSide('settings')
    if (problem.nodeId) show(problem.nodeId, true)
  }

  return (
    <BuilderProvider value={builder}>
      <VariablesHere value={known}>
        <div className={classes.builder}>
          <BuilderBar
            flow={flow}
            problems={problems}
            side={side}
            onSide={handleSide}
            hasNumbers={hasNumbers}
            onNumbers={handleNumbers}
            onPublish={handlePublish}
          />
          <TakenBar
            taken={taken}
            onShow={(id) => {
              if (!id) return setSide('settings')
              openStep(id)
              show(id)
            }}
            onSettled={onSettled}
          />
          {hasNumbers && <NumbersBar flowId={flow.id} onClose={() => setNumbers(false)} />}
          <div className={classes.body}>
            {!readOnly && <KindList onAdd={handleAdd} />}
            <section
              ref={canvas}
              className={classes.canvas}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the canvas are its own
              tabIndex={0}
              aria-label={`Quadro do fluxo ${flow.name}. Setas andam entre os passos, Enter abre, mais adiciona.`}
            >
              <Canvas
                selected={selected}
                onSelect={handleSelect}
                lines={lines}
                onSelectLines={setLines}
                onDropLine={(from, at) => setPicking({ at, from, place: null })}
                onDropKind={(kind, at) => {
                  const known = nodeKinds.find((one) => one === kind)
                  if (known) add(known, centred(known, screenToFlowPosition(at)))
                }}
                onClick={() => side === null && setSide('step')}
                onOpen={openStep}
              />
              {isFinding && <FindBar onGo={goNear} onClose={closeFind} />}
              <CanvasTools
                selection={selected.size}
                onArrange={handleArrange}
                onGroup={handleGroup}
                onFind={handleFind}
              />
              <span role="status" aria-live="polite" className={classes.unseen}>
                {said}
              </span>
            </section>
            {side === 'settings' && (
              <SettingsPanel problems={problems.filter(({ nodeId }) => nodeId === null)} onClose={closeSide} />
            )}
            {side === 'problems' && <ProblemsPanel problems={problems} onShow={shownProblem} onClose={closeSide} />}
            {side === 'versions' && <VersionsPanel flow={flow} onShow={goNear} onClose={closeSide} />}
            {side === 'rehearsal' && <RehearsalPanel onShow={show} onClose={closeSide} />}
            {side === 'step' && only && (
              <StepPanel
                key={only.id}
                node={only}
                flowId={flow.id}
                problems={problems.filter(({ nodeId }) => nodeId === only.id)}
                asked={asked}
                onClose={closeSide}
                onDuplicate={duplicate}
                onRemove={() => {
                  remove()
                  focusCanvas()
                }}
              />
            )}
          </div>
          {readOnly && (
            <p className={classes.narrow} role="note">
              Aqui dá para ver e ler. Para editar, abra em uma tela maior.
            </p>
          )}
        </div>
        {picking && (
          <StepPicker
            at={picking.at}
            isBetween={pickedLine}
            steps={picking.from && !pickedLine ? [...nodes.values()].filter(({ id }) => id !== picking.from?.id) : null}
            onAdd={(kind, action) => add(kind, picking.from ?? free(kind, picking.place ?? middle()), action)}
            onLink={(to) => {
              if (picking.from) change(connected(desk.get().nodes, picking.from, to))
              setPicking(null)
              focusCanvas()
            }}
            onClose={() => {
              setPicking(null)
              focusCanvas()
            }}
          />
        )}
        {isPublishing && (
          <PublishDialog
            flow={flow}
            problems={problems}
            onShow={(problem) => {
              setPublishing(false)
              shownProblem(problem)
            }}
            onClose={() => setPublishing(false)}
            onPublished={() => {
              setPublishing(false)
              notify.success('Publicado. Novas conversas já seguem esta versão.')
            }}
          />
        )}
      </VariablesHere>
    </BuilderProvider>
  )
}

/** The same with an action in the step that it adds. */
const beginningWith = (patch: Patch, id: string, action: ActionKind): Patch => ({
  ...patch,
  upserts: patch.upserts.map((node) =>
    node.id === id && node.kind === 'action' ? { ...node, data: { actions: [blankAction(action)] } } : node,
  ),
})

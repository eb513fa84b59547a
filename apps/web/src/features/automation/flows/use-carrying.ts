import { useReactFlow } from '@xyflow/react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSteady } from '../../../kit/use-steady.ts'
import { boxOf, liesIn } from './geometry.ts'
import type { Nodes } from './patch.ts'

type Point = { x: number; y: number }
/**
 * What a finger carries: `by` is how far as React draws it, and `held` is what stays in the page even where that is beyond
 * the edge.
 */
export type Carried = { ids: ReadonlySet<string>; held: ReadonlySet<string>; by: Point }
type Carrying = { ids: ReadonlySet<string>; leader: string; from: Point; by: Point; isOff: boolean }

type Drawn = HTMLElement | SVGElement
/** So far on the screen a carried card may come from beyond its edge before it is drawn. */
const stretch = 160

/**
 * What is dragged moves by a `translate` of its elements alone, frame by frame, and React hears of it when it is let go of:
 * hundreds of cards cannot be drawn anew sixty times a second. `lines` draws those that lead from it to what stays.
 */
export const useCarrying = (
  frame: RefObject<HTMLElement | null>,
  lines: {
    isInner: (id: string, ids: ReadonlySet<string>) => boolean
    draw: (ids: ReadonlySet<string>, by: Point) => void
  },
  onDrop: (ids: ReadonlySet<string>, by: Point) => void,
) => {
  const { getZoom } = useReactFlow()
  const [carried, setCarried] = useState<Carried | null>(null)
  const carrying = useRef<Carrying | null>(null)
  const shifted = useRef(new Set<Drawn>())

  const begin = (nodes: Nodes, dragged: readonly string[]) => {
    const [leader = ''] = dragged
    const { x = 0, y = 0 } = nodes.get(leader) ?? {}
    const ids = withFramed(nodes, new Set(dragged))
    carrying.current = { ids, leader, from: { x, y }, by: { x: 0, y: 0 }, isOff: false }
  }
  const settle = () => {
    for (const { style } of shifted.current) style.translate = ''
    shifted.current.clear()
  }
  const shift = (element: Drawn, by: Point) => {
    element.style.translate = `${by.x}px ${by.y}px`
    shifted.current.add(element)
  }
  const allOf = (selector: string) => [...(frame.current?.querySelectorAll<Drawn>(selector) ?? [])]
  const mounted = (ids: ReadonlySet<string>) =>
    allOf('.react-flow__node').filter(({ dataset }) => ids.has(dataset.id ?? ''))
  const show = ({ ids, by }: Carrying, drawn: Point) => {
    const rest = { x: by.x - drawn.x, y: by.y - drawn.y }
    const isInner = ({ dataset }: Drawn) => lines.isInner(dataset.id ?? '', ids)
    for (const element of mounted(ids)) shift(element, rest)
    for (const element of allOf('.react-flow__edge').filter(isInner)) shift(element, rest)
    for (const element of allOf('[data-carried]')) shift(element, rest)
    lines.draw(ids, by)
    const zoom = getZoom()
    for (const box of allOf('.react-flow__nodesselection')) shift(box, { x: rest.x * zoom, y: rest.y * zoom })
  }
  const move = useSteady((moves: readonly { id: string; position: Point }[]) => {
    const now = carrying.current
    const leader = moves.find(({ id }) => id === now?.leader)
    if (!now || now.isOff || !leader) return
    now.by = { x: leader.position.x - now.from.x, y: leader.position.y - now.from.y }
    show(now, carried?.by ?? { x: 0, y: 0 })
    const behind = carried ? Math.hypot(now.by.x - carried.by.x, now.by.y - carried.by.y) * getZoom() : 0
    if (carried && behind < stretch) return
    const held = new Set(mounted(now.ids).map(({ dataset }) => dataset.id ?? ''))
    if (carried && held.size === now.ids.size) return
    const by = carried ? now.by : { x: 0, y: 0 }
    flushSync(() => setCarried({ ids: now.ids, held, by }))
    show(now, by)
  })
  const end = useSteady(() => {
    const now = carrying.current
    carrying.current = null
    if (!now || now.isOff) return
    flushSync(() => {
      if (now.by.x || now.by.y) onDrop(now.ids, now.by)
      setCarried(null)
    })
    settle()
  })

  const giveUp = useEffectEvent((event: KeyboardEvent) => {
    const now = carrying.current
    if (event.key !== 'Escape' || !now || now.isOff) return
    event.preventDefault()
    event.stopPropagation()
    now.isOff = true
    flushSync(() => setCarried(null))
    settle()
  })
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => giveUp(event)
    document.addEventListener('keydown', handleKey, true)
    return () => document.removeEventListener('keydown', handleKey, true)
  }, [])

  return { carried, begin, move, end }
}

/** What lies in a frame goes with it. */
const withFramed = (nodes: Nodes, ids: ReadonlySet<string>): ReadonlySet<string> => {
  const frames = [...ids].flatMap((id) => {
    const node = nodes.get(id)
    return node?.kind === 'group' ? boxOf(node) : []
  })
  if (!frames.length) return ids
  const inside = [...nodes.values()].filter((node) => frames.some((frame) => liesIn(frame, boxOf(node))))
  return new Set([...ids, ...inside.map(({ id }) => id)])
}

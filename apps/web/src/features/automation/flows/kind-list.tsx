import { type NodeKind, nodeLabels } from '@balcao/contract/automation/flows/graph.ts'
import { memo } from 'react'
import { draggedKind } from './canvas.tsx'
import classes from './kind-list.module.css'
import { kinds, palette } from './kinds.ts'

/** Every kind of step, to be dragged onto the canvas or put behind the chosen step by a click. */
export const KindList = memo(({ onAdd }: { onAdd: (kind: NodeKind) => void }) => (
  <nav className={classes.list} aria-label="Passos que podem ser adicionados">
    {palette.map(({ tone, label, kinds: offered }) => (
      <section key={tone} className={classes.group}>
        <h2 className={classes.heading}>{label}</h2>
        {offered.map((kind) => {
          const { icon: Icon, hint } = kinds[kind]
          return (
            <button
              key={kind}
              type="button"
              className={classes.kind}
              data-tone={tone}
              title={hint}
              draggable
              onDragStart={(event) => {
                event.dataTransfer.setData(draggedKind, kind)
                event.dataTransfer.effectAllowed = 'copy'
              }}
              onClick={() => onAdd(kind)}
            >
              <Icon size={16} stroke={1.75} aria-hidden />
              {nodeLabels[kind]}
            </button>
          )
        })}
      </section>
    ))}
  </nav>
))

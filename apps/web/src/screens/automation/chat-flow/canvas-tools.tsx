import { ActionIcon, Tooltip } from '@mantine/core'
import { IconFocusCentered, IconFrame, IconHierarchy2, IconMinus, IconPlus, IconSearch } from '@tabler/icons-react'
import { useReactFlow } from '@xyflow/react'
import { memo } from 'react'
import { useBuilder } from '../../../features/automation/flows/builder-context.ts'
import { fitting } from '../../../features/automation/flows/canvas.tsx'
import classes from './canvas-tools.module.css'

type Props = { selection: number; onArrange: () => void; onGroup: () => void; onFind: () => void }

/** What is done with the picture of the flow. */
export const CanvasTools = memo(({ selection, onArrange, onGroup, onFind }: Props) => {
  const { readOnly } = useBuilder()
  const { zoomIn, zoomOut, fitView } = useReactFlow()
  const tools = [
    { label: 'Aproximar', icon: IconPlus, run: () => void zoomIn() },
    { label: 'Afastar', icon: IconMinus, run: () => void zoomOut() },
    { label: 'Ver tudo', icon: IconFocusCentered, run: () => void fitView(fitting) },
    { label: 'Buscar no fluxo (Ctrl+F)', icon: IconSearch, run: onFind },
    ...(readOnly
      ? []
      : [
          { label: 'Organizar os passos', icon: IconHierarchy2, run: onArrange },
          ...(selection > 1 ? [{ label: 'Agrupar o que está escolhido', icon: IconFrame, run: onGroup }] : []),
        ]),
  ]
  return (
    <div className={classes.tools} role="toolbar" aria-label="Quadro">
      {tools.map(({ label, icon: Icon, run }) => (
        <Tooltip key={label} label={label} position="right">
          <ActionIcon size={34} aria-label={label} onClick={run}>
            <Icon size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  )
})

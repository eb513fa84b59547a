import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { useCan } from '../../../kit/use-can.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'

/** Before there is a pipeline with stages nothing can stand in it. */
export const NoPipeline = () => {
  const mayManage = useCan('funnel.manage')
  return (
    <EmptyState
      title="Nenhum funil ainda"
      action={
        mayManage && (
          <Button component={Link} to="/funil/pipelines">
            Montar o funil
          </Button>
        )
      }
    >
      {mayManage
        ? 'Diga por que etapas passa uma venda: contato, proposta, negociação…'
        : 'Quem supervisiona monta o funil e as etapas por que passa uma venda.'}
    </EmptyState>
  )
}

import type { CampaignRow } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { Progress } from '@mantine/core'
import { formatNumber, plural } from '../../../kit/format.ts'
import classes from './campaigns.module.css'

type Props = { campaign: Pick<CampaignRow, 'name' | 'turns'> }

/** How far it is, in a bar and in numbers: of its recipients, once each. What follows is told apart, as it is planned person by person. */
export const CampaignProgress = ({ campaign: { name, turns } }: Props) => {
  const { first, following } = turns
  if (first.meant === 0) return null
  return (
    <div className={classes.progress}>
      <Progress value={(first.done / first.meant) * 100} size="sm" aria-label={`Andamento de ${name}`} />
      <span className="tabular">
        {formatNumber(first.done)} de {plural(first.meant, 'destinatário', 'destinatários')}
      </span>
      {following.meant > 0 && (
        <span className="tabular">
          Sequência: {formatNumber(following.done)} de {formatNumber(following.meant)} até agora
        </span>
      )}
    </div>
  )
}

import { Skeleton } from '@mantine/core'
import classes from './skeleton-list.module.css'
import { useLate } from './use-late.ts'

type Props = { rows?: number; height?: number; withAvatar?: boolean }

/** Grey rows in the shape of the list to come, after 200 ms. */
export const SkeletonList = ({ rows = 8, height = 44, withAvatar = false }: Props) => {
  const late = useLate(true)
  return (
    <div role="status" aria-label="Carregando" className={classes.list}>
      {late &&
        Array.from({ length: rows }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: identical rows without state
          <div key={index} className={classes.row} style={{ height, opacity: 1 - index / (rows + 2) }}>
            {withAvatar && <Skeleton circle height={36} />}
            <div className={classes.lines}>
              <Skeleton height={10} width={`${48 + ((index * 17) % 30)}%`} />
              {height > 52 && <Skeleton height={8} width={`${64 + ((index * 11) % 24)}%`} />}
            </div>
          </div>
        ))}
    </div>
  )
}

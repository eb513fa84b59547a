import { TagChip } from './tag-chip.tsx'
import classes from './tag-list.module.css'

const most = 2

/** The first tags as chips and how many more there are. */
export const TagList = ({ tags }: { tags: readonly { id: string; name: string; color: string }[] }) => {
  const rest = tags.slice(most)
  return (
    <span className={classes.tags}>
      {tags.slice(0, most).map((tag) => (
        <TagChip key={tag.id} {...tag} />
      ))}
      {rest.length > 0 && (
        <span className={classes.more} title={rest.map((tag) => tag.name).join(', ')}>
          +{rest.length}
        </span>
      )}
    </span>
  )
}

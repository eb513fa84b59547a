import type { ReactNode } from 'react'
import classes from './page.module.css'

/** A screen of the back office: fills the frame, its header stays, its body scrolls. */
export const Page = ({ header, children }: { header: ReactNode; children: ReactNode }) => (
  <div className={classes.page}>
    {header}
    <div className={classes.body}>{children}</div>
  </div>
)

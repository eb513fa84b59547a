import { Button } from '@mantine/core'
import { IconDownload, IconFileText } from '@tabler/icons-react'
import { transcriptUrl } from './protocolo-api.ts'
import classes from './protocolo-screen.module.css'

/** The conversation as a file. Plain links: they work whatever the browser does with the rest of the page. */
export const TakeCopy = ({ token }: { token: string }) => (
  <section className={classes.card} aria-labelledby="take-copy">
    <h2 className={classes.title} id="take-copy">
      Sua conversa
    </h2>
    <p className={classes.text}>Guarde uma cópia do que foi escrito, por você e por nós.</p>
    <div className={classes.actions}>
      <Button
        component="a"
        href={transcriptUrl(token, 'html')}
        download
        rel="noreferrer"
        size="md"
        leftSection={<IconDownload size={20} aria-hidden />}
      >
        Baixar conversa
      </Button>
      <Button
        component="a"
        href={transcriptUrl(token, 'text')}
        download
        rel="noreferrer"
        variant="default"
        size="md"
        leftSection={<IconFileText size={20} aria-hidden />}
      >
        Só texto
      </Button>
    </div>
  </section>
)

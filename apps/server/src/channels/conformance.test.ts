import { startConforming } from './baileys/conforming.ts'
import { conforms } from './conformance.ts'
import { startConformingMail } from './email/harness.ts'
import { startEvolution, startEvolutionCloud } from './evolution/harness.ts'
import { startHub } from './hub/harness.ts'
import { startInstagram } from './instagram/harness.ts'
import { startMessenger } from './messenger/harness.ts'
import { startComtele, startSmsdev, startTwilio, startZenvia } from './sms/harness.ts'
import { startTelegram } from './telegram/harness.ts'
import { startUazapi } from './uazapi/harness.ts'
import { startWaba } from './waba/harness.ts'
import { startWuzapi } from './wuzapi/harness.ts'
import { startZapi } from './zapi/harness.ts'

conforms('waba', startWaba)
conforms('messenger', startMessenger)
conforms('instagram by its page', () => startInstagram())
conforms('instagram by its own login', () => startInstagram('instagram'))
conforms('telegram', startTelegram)
conforms('evolution', () => startEvolution())
conforms('evolution on Meta’s API', startEvolutionCloud)
conforms('uazapi', startUazapi)
conforms('wuzapi', startWuzapi)
conforms('zapi', startZapi)
conforms('baileys', startConforming)
conforms('email', startConformingMail)
conforms('sms by Twilio', startTwilio)
conforms('sms by Zenvia', startZenvia)
conforms('sms by SMSDev', startSmsdev)
conforms('sms by Comtele', startComtele)
conforms('hub, WhatsApp', () => startHub('whatsapp'))
conforms('hub, Instagram', () => startHub('instagram'))
conforms('hub, e-mail', () => startHub('email'))
conforms('hub, web chat', () => startHub('webchat'))

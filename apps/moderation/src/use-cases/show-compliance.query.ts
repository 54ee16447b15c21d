import { Injectable } from '@nestjs/common';
import {
  type ComplianceLine,
  type ComplianceReport,
  MODERATION_LINE,
} from '@kinora/contracts/moderation/compliance.rpc';
import { certificateExpiryOf, isAnchored } from '@kinora/credentials';
import { AppealRepository } from '../appeal/appeal.repository';
import { FingerprintRepository } from '../fingerprint/fingerprint.repository';
import { ImageHashEngine } from '../image/image-hash.engine';
import { Engines } from '../judging/engine';
import { ModerationConfig } from '../moderation.config';

const GUIDE = 'docs/operate/provenance.md';
/** As `kinora doctor` and the alert warn. */
const RENEW_WITHIN_MS = 30 * 24 * 3_600_000;

/** Shows an operator what marks outputs, what recognises them, and what judges them. */
@Injectable()
export class ShowCompliance {
  constructor(
    private readonly config: ModerationConfig,
    private readonly engines: Engines,
    private readonly fingerprints: FingerprintRepository,
    private readonly appeals: AppealRepository,
  ) {}

  async execute(): Promise<ComplianceReport> {
    return {
      lines: [
        this.certificate(),
        this.trust(),
        registry(await this.fingerprints.findFirstTime(), this.config.fingerprintRetentionDays),
        CHECK,
        this.judges(),
        this.hashLists(),
        this.strikes(),
        appeals(await this.appeals.countOpen()),
      ],
      guide: GUIDE,
    };
  }

  private certificate(): ComplianceLine {
    const { ownCertificates, trustedRoots } = this.config;
    const expiresAt = certificateExpiryOf(ownCertificates);
    const trust = isAnchored(ownCertificates, trustedRoots)
      ? 'which KINORA_C2PA_TRUSTED_ROOTS trusts'
      : 'of a root that is not in KINORA_C2PA_TRUSTED_ROOTS: verifiers may show it as untrusted';
    return {
      subject: 'Content credentials',
      state: expiresAt
        ? `signed with a certificate until ${dayOf(expiresAt)}, ${trust}`
        : 'none: KINORA_C2PA_CERTIFICATE is not set',
      is_set: expiresAt !== null && expiresAt.getTime() > Date.now() + RENEW_WITHIN_MS,
      purpose: 'A signed statement in each file tells machines that it was generated.',
    };
  }

  private trust(): ComplianceLine {
    const isSet = this.config.trustedRoots !== '';
    return {
      subject: 'Trusted signers',
      state: isSet ? 'those of KINORA_C2PA_TRUSTED_ROOTS' : 'none: KINORA_C2PA_TRUSTED_ROOTS is not set',
      is_set: isSet,
      purpose: 'The check tells a known signer of a file from one that anybody may be.',
    };
  }

  private judges(): ComplianceLine {
    const namesOf = (engines: readonly { name: string }[]): string => engines.map(({ name }) => name).join(', ');
    return {
      subject: MODERATION_LINE,
      state: `texts: ${namesOf(this.engines.text)}; images: ${namesOf(this.engines.image)}`,
      is_set: true,
      purpose:
        'Every prompt, input and output is judged; nothing passes that one engine blocks or does not answer for.',
    };
  }

  private hashLists(): ComplianceLine {
    const lists = this.engines.image.flatMap((engine) => (engine instanceof ImageHashEngine ? engine.listNames : []));
    return {
      subject: 'Hash lists',
      state: lists.length === 0 ? 'none' : lists.join(', '),
      is_set: lists.length > 0,
      purpose: 'Known illegal images are blocked wherever they appear.',
    };
  }

  private strikes(): ComplianceLine {
    const { strikeLimit, strikeWindowDays } = this.config;
    return {
      subject: 'Strikes',
      state: `${strikeLimit} in ${strikeWindowDays} days suspend an account`,
      is_set: true,
      purpose: 'Accounts that keep making blocked outputs are stopped; kinora strike list shows them for review.',
    };
  }
}

const CHECK: ComplianceLine = {
  subject: 'Check',
  state: 'POST /v1/provenance/check, and /check in the console',
  is_set: true,
  purpose: 'Anybody can find out without an account whether this service has made a file.',
};

function registry(since: Date | null, retentionDays: number): ComplianceLine {
  return {
    subject: 'Fingerprints',
    state: `${since ? `since ${dayOf(since)}` : 'none yet'}, kept for ${retentionDays} days`,
    is_set: true,
    purpose: 'Outputs are recognised after their marks were stripped.',
  };
}

function appeals(open: number): ComplianceLine {
  return {
    subject: 'Appeals',
    state: open === 0 ? 'none open' : `${open} open`,
    is_set: open === 0,
    purpose: 'A customer whose output was blocked may ask an operator to look at the decision once more.',
  };
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

// Archives that are read as files. What was read of one is one state, which is dropped as a whole once the archive is found replaced.
import { BlockAnswers } from "./blocks.js";
import { FileChanged, Kept } from "./bytes.js";
import { FolderFiles, PMTilesFiles } from "./files.js";

/** So many milliseconds "there is nothing" is believed before the archive is looked at again. */
const believed = 30000;

class Opened {
    constructor(make) {
        this.make = make;
        this.isDoubted = false;
        this.drop(false);
    }

    drop(isFresh = true) {
        this.answers = new BlockAnswers(this.make(isFresh));
        this.looked = Date.now();
    }

    /** An answer; asked for once more where it is doubtful and the archive has been replaced. */
    async ask(question) {
        if (this.isDoubted || this.looking) await this.look();
        const { answers } = this;
        try {
            const answer = await question(answers);
            const isOld = answer === null && Date.now() - this.looked > believed;
            if (!isOld || await this.isStill(answers)) return answer;
        } catch (error) {
            if (error.name === "AbortError") throw error;
            if (error instanceof FileChanged && this.answers === answers) this.drop();
            if (await this.isStill(answers)) throw error;
        }
        return question(this.answers);
    }

    async isStill(answers) {
        if (this.answers === answers) await this.look();
        return this.answers === answers;
    }

    /** Drops what was read if the archive is another one by now; one look serves all that wait for it. */
    look() {
        this.looking ??= this.lookOnce().finally(() => { this.looking = undefined; });
        return this.looking;
    }

    async lookOnce() {
        const { answers } = this;
        this.isDoubted = false;
        // What cannot be reached now is no other archive.
        const isSame = await answers.files.isSame().catch(() => true);
        this.looked = Date.now();
        if (!isSame && this.answers === answers) this.drop();
    }
}

const openedArchives = new Kept(16);

/** The archive at an address, which is read once for all who ask about it; if it is doubted, it is looked at before it answers again. */
export function openedAt(address, { clusters, isDoubted = false } = {}) {
    const Files = address.kind === "pmtiles" ? PMTilesFiles : FolderFiles;
    const key = JSON.stringify([address.kind, address.path, address.query, clusters]);
    const opened = openedArchives.get(key, async () => new Opened((isFresh) => new Files(address, { clusters, isFresh })));
    return opened.then((one) => {
        one.isDoubted ||= isDoubted;
        return one;
    });
}

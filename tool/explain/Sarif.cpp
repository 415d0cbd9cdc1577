// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0: a result for each site left alone, whose related locations are the reason and its cause, and for each
// other finding. Rewritten sites are no results: there is nothing to do about them; but for guarded ones, which are for
// review.

#include "explain/Explain.h"
#include "explain/Reports.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace mpishm;
using llvm::json::OStream;

namespace {

constexpr llvm::StringLiteral BaseId = "CURRENT_DIRECTORY";

class SarifWriter {
public:
  SarifWriter(const ReportData &D, llvm::raw_ostream &Out) : Data(D), J(Out, 1) {}
  void write();

private:
  void writeDriver();
  void writeResults();
  void writeResult(const ReportedFinding &F, bool Review, llvm::function_ref<void()> Rest);
  void writeSite(const ReportedSite &S);
  void writeMessage(llvm::StringRef Text);
  void writeLocation(const ReportedPlace &P, llvm::StringRef Message = "");
  void writeRelated(const ReportedFinding &F, bool WithPlace);

  const ReportData &Data;
  OStream J;
};

llvm::StringRef levelOf(Severity Level) { return Level == Severity::Remark ? "note" : nameOf(Level); }

/// A path as RFC 3986 wants it in a URI.
std::string uriPath(llvm::StringRef Path) {
  std::string Result;
  for (char C : Path) {
    if (llvm::isAlnum(C) || llvm::StringRef("/-._~").contains(C))
      Result += C;
    else
      Result += '%' + llvm::toHex(llvm::StringRef(&C, 1));
  }
  return Result;
}

} // namespace

void SarifWriter::writeMessage(llvm::StringRef Text) {
  J.attributeObject("message", [&] { J.attribute("text", llvm::json::fixUTF8(Text)); });
}

void SarifWriter::writeLocation(const ReportedPlace &P, llvm::StringRef Message) {
  J.object([&] {
    J.attributeObject("physicalLocation", [&] {
      J.attributeObject("artifactLocation", [&] {
        llvm::StringRef Relative = P.Path;
        if (Relative.consume_front(Data.Folder) && Relative.consume_front("/")) {
          J.attribute("uri", uriPath(Relative));
          J.attribute("uriBaseId", BaseId);
        } else {
          J.attribute("uri", "file://" + uriPath(P.Path));
        }
      });
      J.attributeObject("region", [&] {
        unsigned Column = P.characterColumn();
        J.attribute("startLine", P.Line);
        J.attribute("startColumn", Column);
        if (P.Length) {
          J.attribute("endLine", P.Line);
          J.attribute("endColumn", Column + P.Length);
        }
        if (!P.Source.empty())
          J.attributeObject("snippet", [&] { J.attribute("text", llvm::json::fixUTF8(P.Source)); });
      });
    });
    if (!Message.empty())
      writeMessage(Message);
  });
}

void SarifWriter::writeRelated(const ReportedFinding &F, bool WithPlace) {
  if (!(WithPlace && F.Where) && !F.Cause)
    return;
  J.attributeArray("relatedLocations", [&] {
    if (WithPlace && F.Where)
      writeLocation(*F.Where, F.Text);
    if (F.Cause)
      writeLocation(*F.Cause, F.CauseText);
  });
}

void SarifWriter::writeResult(const ReportedFinding &F, bool Review, llvm::function_ref<void()> Rest) {
  J.object([&] {
    J.attribute("ruleId", F.Id);
    for (auto [Index, Info] : llvm::enumerate(allDiagnostics()))
      if (Info.Id == F.Id)
        J.attribute("ruleIndex", Index);
    if (Review)
      J.attribute("kind", "review");
    J.attribute("level", Review ? "none" : levelOf(F.Level)); // of that kind only
    Rest();
  });
}

void SarifWriter::writeSite(const ReportedSite &S) {
  const ReportedFinding &F = Data.Findings[S.Reasons.front()];
  writeResult(F, S.Guarded, [&] {
    writeMessage(S.Function + (S.Guarded ? " is guarded: " : " is left alone: ") + F.Text);
    J.attributeArray("locations", [&] { writeLocation(S.Where); });
    writeRelated(F, true);
    J.attributeObject("properties", [&] {
      J.attribute("class", S.Class);
      J.attribute("function", llvm::json::fixUTF8(S.Enclosing));
    });
  });
}

void SarifWriter::writeResults() {
  for (const ReportedSite &S : Data.Sites)
    if (!S.Reasons.empty())
      writeSite(S);
  for (const ReportedFinding &F : Data.Findings)
    if (F.Left.empty() && F.Guarded.empty())
      writeResult(F, false, [&] {
        writeMessage(F.Text);
        if (F.Where)
          J.attributeArray("locations", [&] { writeLocation(*F.Where); });
        writeRelated(F, false);
      });
}

void SarifWriter::writeDriver() {
  J.attributeObject("driver", [&] {
    J.attribute("name", "mpishm-rewrite");
    J.attribute("semanticVersion", Data.Version);
    J.attributeArray("rules", [&] {
      for (const DiagnosticInfo &Info : allDiagnostics())
        J.object([&] {
          J.attribute("id", Info.Id);
          llvm::StringRef Page = pageOf(Info.Id);
          J.attributeObject("shortDescription", [&] { J.attribute("text", Info.Text); });
          J.attributeObject("help", [&] {
            J.attribute("text", Page);
            J.attribute("markdown", Page);
          });
          J.attributeObject("defaultConfiguration", [&] { J.attribute("level", levelOf(Info.Level)); });
        });
    });
  });
}

void SarifWriter::write() {
  const Totals &Sum = Data.Sum;
  J.object([&] {
    J.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    J.attribute("version", "2.1.0");
    J.attributeArray("runs", [&] {
      J.object([&] {
        J.attributeObject("tool", [&] { writeDriver(); });
        J.attribute("columnKind", "unicodeCodePoints");
        J.attributeObject("originalUriBaseIds", [&] {
          J.attributeObject(BaseId, [&] { J.attribute("uri", "file://" + uriPath(Data.Folder) + "/"); });
        });
        J.attributeArray("results", [&] { writeResults(); });
        auto WriteTotals = [&](const std::string &What, const SiteTotals &Of) {
          J.attribute(What, Of.Sites);
          J.attribute(What + "Rewritten", Of.Rewritten);
          J.attribute(What + "AlreadyRewritten", Of.Already);
          J.attribute(What + "LeftAlone", Of.Left);
        };
        J.attributeObject("properties", [&] {
          J.attribute("sites", Sum.Sites);
          J.attribute("rewritten", Sum.Rewritten);
          J.attribute("alreadyRewritten", Sum.Already);
          if (Sum.Guarded + Sum.AlreadyGuarded)
            J.attribute("guarded", Sum.Guarded + Sum.AlreadyGuarded);
          J.attribute("leftAlone", Sum.Left);
          WriteTotals("collectives", Sum.Collectives);
          WriteTotals("oneSidedCalls", Sum.OneSided);
          J.attribute("changedFiles", Sum.Files);
          J.attribute("buffers", Data.Buffers.size());
          J.attribute("buffersMoved", Sum.Moved);
        });
      });
    });
  });
}

void mpishm::writeSarif(const ReportData &Data, llvm::raw_ostream &Out) {
  SarifWriter(Data, Out).write();
  Out << '\n';
}
